package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.network.Link;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.testbed.Await;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Streams stands still (SIGSTOP) after its commit has left and before it reaches the broker, for longer than a transaction lasts. The
 * broker has aborted the transaction when the commit arrives.
 */
public final class StreamsFrozenInCommit implements Fault {
    private static final int END_TXN = 26;

    /** A transaction lasts 6 s here, and brokers look for expired ones every second. */
    private static final long AT_LEAST_MS = 8_000;

    @Override
    public String id() {
        return "F3C";
    }

    @Override
    public String what() {
        return "streams SIGSTOP amid a commit, 8 to 12 s";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(10);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        long pid = on.streams().pid();
        List<Link> links = on.kafka().links(Installation.STREAMS);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(1_000));
        links.forEach(link -> link.hold(END_TXN));
        Await.within(Duration.ofSeconds(20), () -> links.stream().anyMatch(Link::holds));
        on.streams().stop();
        if (links.stream().anyMatch(Link::holds)) {
            played.fired("stopped with a commit under way");
        }
        TimeUnit.MILLISECONDS.sleep(AT_LEAST_MS + random.nextInt(4_000));
        String asset = on.correctSettlement();
        long since = System.nanoTime();
        on.streams().resume();
        links.forEach(Link::heal);
        played.awaitFlow(on, since);
        // Tables gather changes for ten seconds.
        played.awaitPairs(on, asset, since, recoveryBound().plusSeconds(12));
        played.require(on.streams().pid() == pid && on.streams().isAlive(), "streams has ended");
    }
}
