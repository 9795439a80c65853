package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.network.Link;
import io.fundingobservatory.faults.network.Link.Way;
import io.fundingobservatory.testbed.Await;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** Faults of the network between streams and the brokers: slow, silent, cut off. */
public final class NetworkFaults {
    private static final long MBIT = 1_000_000 / 8;
    private static final long SLOW_S = 30;

    private NetworkFaults() {}

    /** Every byte takes half a second more, and there is 1 Mbit/s. */
    public static void slow(Installation on, Random random, Played played) throws Exception {
        List<Link> links = on.kafka().links(Installation.STREAMS);
        long before = sum(links, Link::bytes);
        long restored = on.restored(StreamsFaults.LEDGER);
        int rebalances = on.streams().countLogged("state=REBALANCING");
        links.forEach(link -> link.delayed(Duration.ofMillis(500)).narrowed(MBIT));
        TimeUnit.SECONDS.sleep(SLOW_S);
        played.fired((sum(links, Link::bytes) - before) / SLOW_S + " bytes a second");
        String asset = on.correctSettlement();
        long since = System.nanoTime();
        links.forEach(Link::heal);
        played.awaitFlow(on, since);
        played.awaitPairs(on, asset, since, played.recoveryBound());
        long again = on.restored(StreamsFaults.LEDGER) - restored;
        played.require(again == 0, again + " records of the ledger were restored");
        int more = on.streams().countLogged("state=REBALANCING") - rebalances;
        played.note(more + " rebalances");
        played.require(more <= 1, more + " rebalances");
    }

    /** Nothing arrives for 90 s, and no connection is closed; of some seeds only what the brokers send. */
    public static void blackHole(Installation on, Random random, Played played) throws Exception {
        List<Link> links = on.kafka().links(Installation.STREAMS);
        boolean halfOpen = random.nextInt(3) == 0;
        Way[] ways = halfOpen ? new Way[] {Way.TO_CLIENT} : Way.values();
        links.forEach(link -> link.silenced(ways));
        TimeUnit.SECONDS.sleep(1);
        long before = sum(links, Link::bytes);
        TimeUnit.SECONDS.sleep(90);
        long passed = sum(links, Link::bytes) - before;
        played.require(halfOpen || passed == 0, passed + " bytes got through the black hole");
        played.fired(halfOpen ? "silent towards streams" : "silent both ways");
        long since = System.nanoTime();
        links.forEach(Link::heal);
        played.awaitFlow(on, since);
    }

    /** After the broker has got {@code EndTxn} and before its response arrives: committed, unknown to the producer. */
    public static void responseCutOff(Installation on, Random random, Played played) throws Exception {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
        List<Link> links = on.kafka().links(Installation.STREAMS);
        long before = sum(links, Link::trapped);
        links.forEach(link -> link.trap(StreamsFaults.END_TXN));
        Await.within(Duration.ofSeconds(20), () -> sum(links, Link::trapped) > before);
        long since = System.nanoTime();
        links.forEach(Link::heal);
        long cut = sum(links, Link::trapped) - before;
        if (cut > 0) {
            played.fired("cut after " + cut + " EndTxn");
        }
        played.awaitFlow(on, since);
    }

    private static long sum(List<Link> links, ToLongFunction<Link> count) {
        return links.stream().mapToLong(count).sum();
    }
}
