package io.fundingobservatory.faults.scenarios.brokers;

import io.fundingobservatory.faults.network.Link;
import io.fundingobservatory.faults.network.Link.Way;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Nothing arrives between streams and the brokers for 90 s, and no connection is closed; of some seeds only what the brokers say. */
public final class BlackHole implements Fault {
    private static final Duration LASTS = Duration.ofSeconds(90);

    @Override
    public String id() {
        return "F12";
    }

    @Override
    public String what() {
        return "black hole before streams, 90 s";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(45);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        List<Link> links = on.kafka().links(Installation.STREAMS);
        boolean halfOpen = random.nextInt(3) == 0;
        links.forEach(link -> {
            if (halfOpen) {
                link.silenced(Way.TO_CLIENT);
            } else {
                link.silenced(Way.TO_CLIENT, Way.TO_SERVER);
            }
        });
        TimeUnit.SECONDS.sleep(1);
        long before = links.stream().mapToLong(Link::bytes).sum();
        TimeUnit.NANOSECONDS.sleep(LASTS.toNanos());
        long passed = links.stream().mapToLong(Link::bytes).sum() - before;
        played.require(halfOpen || passed == 0, passed + " bytes got through the black hole");
        played.fired(halfOpen ? "silent towards streams" : "silent both ways");
        long since = System.nanoTime();
        links.forEach(Link::heal);
        played.awaitFlow(on, since);
    }
}
