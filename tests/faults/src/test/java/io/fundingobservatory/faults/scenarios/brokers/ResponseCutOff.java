package io.fundingobservatory.faults.scenarios.brokers;

import io.fundingobservatory.faults.network.Link;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.testbed.Await;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The connection breaks after the broker has got {@code EndTxn} and before its response arrives: committed, unknown to the producer. */
public final class ResponseCutOff implements Fault {
    private static final int END_TXN = 26;

    @Override
    public String id() {
        return "F11";
    }

    @Override
    public String what() {
        return "cut between EndTxn and its response";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(10);
    }

    @Override
    public int repeats() {
        return 5;
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
        List<Link> links = on.kafka().links(Installation.STREAMS);
        long before = trapped(links);
        links.forEach(link -> link.trap(END_TXN));
        Await.within(Duration.ofSeconds(20), () -> trapped(links) > before);
        long since = System.nanoTime();
        links.forEach(Link::heal);
        if (trapped(links) > before) {
            played.fired("cut after " + (trapped(links) - before) + " EndTxn");
        }
        played.awaitFlow(on, since);
    }

    private static long trapped(List<Link> links) {
        return links.stream().mapToLong(Link::trapped).sum();
    }
}
