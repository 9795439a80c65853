package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.invariants.ExactValue;
import io.fundingobservatory.faults.invariants.ExactlyOnce;
import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.invariants.NothingLost;
import io.fundingobservatory.faults.load.PolledVenues;
import io.fundingobservatory.faults.process.BrokerCluster;
import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.process.Services;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.oracle.RatesReader;
import io.fundingobservatory.oracle.SimulatedNames;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Of two ingests one gets SIGKILL while it publishes; the other one takes its exchanges over. Polls are 5 s apart here, in operation 60 s. */
public final class IngestKilled implements Fault {
    /** Exchanges whose limits allow a poll every 5 s. */
    private static final List<String> VENUES = List.of("binance", "bybit", "okx", "bitget", "gate", "kraken", "dydx");

    private static final String FIRST = "ingest-1";
    private static final String SECOND = "ingest-2";
    private static final Duration UP = Duration.ofSeconds(90);

    @Override
    public String id() {
        return "F4";
    }

    @Override
    public String what() {
        return "ingest SIGKILL, another takes its exchanges";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(20); // 15 s for the takeover, and one interval of 5 s
    }

    @Override
    public Layout layout() {
        return Layout.OWN;
    }

    @Override
    public void play(Path folder, long seed, Played played) throws Exception {
        var random = new Random(seed);
        try (var exchanges = SimulatedExchanges.start(0, seed, InstantSource.system());
                var kafka = BrokerCluster.start(
                        folder, 1, List.of(FIRST, SECOND, Installation.STREAMS), Map.of(), Map.of());
                var streams = JavaProcess.start(
                        Services.streams(
                                Installation.STREAMS,
                                kafka.bootstrap(Installation.STREAMS),
                                folder.resolve(Installation.STREAMS)),
                        folder);
                var first = JavaProcess.start(
                        Services.ingest(FIRST, kafka.bootstrap(FIRST), exchanges.baseUrl(), VENUES), folder);
                var second = JavaProcess.start(
                        Services.ingest(SECOND, kafka.bootstrap(SECOND), exchanges.baseUrl(), VENUES), folder);
                var polled = new PolledVenues(kafka.direct())) {
            polled.awaitAll(VENUES, System.currentTimeMillis(), UP);
            polled.awaitAll(VENUES, System.currentTimeMillis(), UP);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(5_000));
            JavaProcess victim = random.nextBoolean() ? first : second;
            long since = System.nanoTime();
            long at = System.currentTimeMillis();
            victim.kill();
            played.fired(victim.name() + " killed");
            if (polled.awaitAll(VENUES, at, Duration.ofSeconds(120))) {
                played.recovered(since);
            } else {
                played.recovers().never("not polled again: " + polled.silentSince(VENUES, at));
            }
            played.require(streams.isAlive(), "streams has ended");
            victim.restart();
            polled.awaitAll(VENUES, System.currentTimeMillis() + 5_000, UP);
            first.kill();
            second.kill();
            verify(kafka, new SimulatedNames(exchanges.market()), played);
        }
    }

    private static void verify(BrokerCluster kafka, SimulatedNames names, Played played) throws InterruptedException {
        var oracle = new RatesOracle(names);
        try (var reader = new RatesReader(kafka.direct(), oracle)) {
            Await.within(Duration.ofSeconds(60), () -> reader.advance() == 0);
            oracle.end();
            oracle.latest(reader.newest(Topics.RATES_LATEST.name()));
            played.note(oracle.rows() + " rows compared");
            var invariants = new ArrayList<Invariant>(
                    List.of(new NothingLost(oracle, Set::of), new ExactlyOnce(oracle), new ExactValue(oracle)));
            for (Invariant invariant : invariants) {
                invariant.violations().forEach(how -> played.wrong(invariant.name() + ": " + how));
            }
            played.require(oracle.refused() == 0, oracle.refused() + " quotes of contracts that no exchange lists");
        }
    }
}
