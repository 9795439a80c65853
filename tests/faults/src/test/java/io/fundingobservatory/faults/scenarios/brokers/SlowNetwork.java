package io.fundingobservatory.faults.scenarios.brokers;

import io.fundingobservatory.faults.network.Link;
import io.fundingobservatory.faults.process.Prometheus;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Between streams and the brokers every byte takes half a second more, and there is 1 Mbit/s. */
public final class SlowNetwork implements Fault {
    private static final Duration DELAY = Duration.ofMillis(500);
    private static final long BYTES_A_SECOND = 1_000_000 / 8;
    private static final Duration LASTS = Duration.ofSeconds(30);

    private static final String LEDGER = "ledger";

    @Override
    public String id() {
        return "F10";
    }

    @Override
    public String what() {
        return "500 ms and 1 Mbit/s before streams, 30 s";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(60);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        List<Link> links = on.kafka().links(Installation.STREAMS);
        long before = links.stream().mapToLong(Link::bytes).sum();
        long restored = Prometheus.restored(on.streams(), LEDGER);
        int rebalances = on.streams().countLogged("state=REBALANCING");
        links.forEach(link -> link.delayed(DELAY).narrowed(BYTES_A_SECOND));
        TimeUnit.NANOSECONDS.sleep(LASTS.toNanos());
        long passed = links.stream().mapToLong(Link::bytes).sum() - before;
        played.fired(passed / LASTS.toSeconds() + " bytes a second");
        String asset = on.correctSettlement();
        long since = System.nanoTime();
        links.forEach(Link::heal);
        played.awaitFlow(on, since);
        played.awaitPairs(on, asset, since, recoveryBound());
        long again = Prometheus.restored(on.streams(), LEDGER) - restored;
        played.require(again == 0, again + " records of the ledger were restored");
        int more = on.streams().countLogged("state=REBALANCING") - rebalances;
        played.note(more + " rebalances");
        played.require(more <= 1, more + " rebalances");
    }
}
