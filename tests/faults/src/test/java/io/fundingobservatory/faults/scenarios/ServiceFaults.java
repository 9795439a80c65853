package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.load.NewestRead;
import io.fundingobservatory.faults.planted.Agent;
import io.fundingobservatory.faults.process.BrokerCluster;
import io.fundingobservatory.oracle.Names;
import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.oracle.RatesReader;
import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.process.Services;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Faults of ingest and of the gateway, and a clock that jumps in one process. */
public final class ServiceFaults {
    /** Exchanges whose limits allow a poll every 5 s; in operation polls are 60 s apart. */
    private static final List<String> VENUES = List.of("binance", "bybit", "okx", "bitget", "gate", "kraken", "dydx");

    private static final Duration UP = Duration.ofSeconds(90);
    private static final List<Duration> JUMPS = List.of(Duration.ofHours(1), Duration.ofHours(-1), Duration.ofDays(30));

    private ServiceFaults() {}

    public static void gatewayKilled(Installation on, Random random, Played played) throws Exception {
        TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(800));
        on.probe().expectDown();
        long since = System.nanoTime();
        on.gateway().kill();
        played.fired("killed");
        on.gateway().restart();
        on.probe().expectUp();
        on.probe().awaitWhole(Duration.ofMinutes(5));
        played.recovered(since);
    }

    /** One of two, while it publishes. */
    public static void ingestKilled(Path folder, long seed, Played played) throws Exception {
        var random = new Random(seed);
        String one = "ingest-1";
        String two = "ingest-2";
        String state = Installation.STREAMS;
        try (var exchanges = SimulatedExchanges.start(0, seed, InstantSource.system());
                var kafka = BrokerCluster.start(folder, 1, List.of(one, two, state), List.of());
                var streams = JavaProcess.start(
                        Services.streams(state, kafka.bootstrap(state), folder.resolve(state)), folder);
                var first = JavaProcess.start(
                        Services.ingest(one, kafka.bootstrap(one), exchanges.baseUrl(), VENUES), folder);
                var second = JavaProcess.start(
                        Services.ingest(two, kafka.bootstrap(two), exchanges.baseUrl(), VENUES), folder);
                var polled = NewestRead.ofQuotes(kafka.direct())) {
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
                played.never("not polled again: " + polled.silentSince(VENUES, at));
            }
            played.require(streams.isAlive(), "streams has ended");
            victim.restart();
            polled.awaitAll(VENUES, System.currentTimeMillis() + 5_000, UP);
            first.kill();
            second.kill();
            var oracle = new RatesOracle(Names.of(exchanges.market()));
            try (var reader = new RatesReader(kafka.direct(), oracle)) {
                Await.within(Duration.ofSeconds(60), () -> reader.advance() == 0);
                oracle.end();
                oracle.latest(reader.newest(Topics.RATES_LATEST.name()));
                played.note(oracle.rows() + " rows compared");
                played.check(Installation.invariantsOf(oracle));
                played.require(oracle.refused() == 0, oracle.refused() + " quotes of contracts that no exchange lists");
            }
        }
    }

    /** It returns after half a minute. Rows stay exact and are not removed. The generation time never goes back. */
    public static void clockMoved(Path folder, long seed, Played played) throws Exception {
        Path agent = Agent.jar(folder);
        Path streamsClock = folder.resolve("streams.clock");
        Path gatewayClock = folder.resolve("gateway.clock");
        var plan = Installation.Plan.of(1).streams(moved(agent, streamsClock)).gateway(moved(agent, gatewayClock));
        try (var on = new Installation(folder, seed, plan)) {
            Duration by = JUMPS.get(Math.floorMod(seed, JUMPS.size()));
            boolean ofStreams = new Random(seed).nextBoolean();
            Path clock = ofStreams ? streamsClock : gatewayClock;
            JavaProcess process = ofStreams ? on.streams() : on.gateway();
            long since = System.nanoTime();
            Files.writeString(clock, by.toMillis() + "\n");
            if (Await.within(Duration.ofSeconds(10), () -> process.hasLogged("clock moved by " + by.toMillis()))) {
                played.fired(process.name() + " by " + by);
            }
            played.awaitFlow(on, since);
            TimeUnit.SECONDS.sleep(30);
            played.note("the gateway's time is "
                    + (on.probe().last().generatedAtMs() - System.currentTimeMillis()) / 1_000 + " s ahead and shows "
                    + on.probe().last().contracts().size() + " rows");
            Files.writeString(clock, "0\n");
            played.require(on.awaitFlow(Duration.ofSeconds(60)), "no flow when it was right again");
            on.settle();
            played.check(on.invariants());
        }
    }

    private static UnaryOperator<JavaProcess.Spec> moved(Path agent, Path clock) {
        return spec -> spec.with("-javaagent:" + agent + "=clock:" + clock);
    }
}
