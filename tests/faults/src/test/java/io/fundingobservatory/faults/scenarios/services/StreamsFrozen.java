package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.testbed.Await;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Streams stands still for 20 s (SIGSTOP), a second instance takes its partitions over, and the first one wakes up with an open transaction. */
public final class StreamsFrozen implements Fault {
    private static final Duration FROZEN = Duration.ofSeconds(20);
    private static final List<String> APPLICATIONS = List.of("observatory-streams", "observatory-pairs");

    @Override
    public String id() {
        return "F3";
    }

    @Override
    public String what() {
        return "streams SIGSTOP 20 s, another takes over";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(15);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        JavaProcess second = on.start(on.secondStreams());
        boolean runs = Await.within(
                Duration.ofSeconds(60),
                () -> APPLICATIONS.stream()
                        .allMatch(application -> second.lastLogged("application=" + application + " state=")
                                .contains("state=RUNNING")));
        played.require(runs, "the second instance does not run");
        on.awaitFlow(Duration.ofSeconds(30));
        TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
        long since = System.nanoTime();
        on.streams().stop();
        played.fired("stopped");
        played.awaitFlow(on, since);
        TimeUnit.NANOSECONDS.sleep(since + FROZEN.toNanos() - System.nanoTime());
        on.streams().resume();
        played.require(on.awaitFlow(Duration.ofSeconds(60)), "no flow after it woke up: " + on.flowState());
        // Back to one instance: its place in the group is kept until the session ends, and that takes 10 s.
        second.terminate();
        played.require(on.awaitFlow(Duration.ofSeconds(90)), "no flow after the second one left: " + on.flowState());
    }
}
