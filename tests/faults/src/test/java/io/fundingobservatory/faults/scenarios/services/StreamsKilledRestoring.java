package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.testbed.Await;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Streams gets SIGKILL, and again and again before it has its stores back. */
public final class StreamsKilledRestoring implements Fault {
    private static final String STATE = "application=observatory-streams state=";

    @Override
    public String id() {
        return "F2";
    }

    @Override
    public String what() {
        return "streams SIGKILL while restoring";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(8);
    }

    @Override
    public int repeats() {
        return 3;
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        on.streams().kill();
        on.streams().restart();
        // Until the client is in the group and takes its partitions, and a little further.
        Await.within(
                Duration.ofSeconds(30), () -> on.streams().lastLogged(STATE).contains("state=REBALANCING"));
        TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
        long since = System.nanoTime();
        on.streams().kill();
        String state = on.streams().lastLogged(STATE);
        if (state.contains("state=REBALANCING")) {
            played.fired("killed before it was running");
        } else {
            played.note("it was running already: " + state);
        }
        on.streams().restart();
        played.awaitFlow(on, since);
    }
}
