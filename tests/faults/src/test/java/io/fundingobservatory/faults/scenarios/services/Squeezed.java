package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.testbed.Await;
import java.time.Duration;
import java.util.Random;

/**
 * Streams starts with far too little heap, or with 128 descriptors. It exits soon with a reason, and recovers
 * when it has enough.
 */
public final class Squeezed implements Fault {
    private static final int DESCRIPTORS = 128;
    private static final Duration SOON = Duration.ofSeconds(90);

    @Override
    public String id() {
        return "F27";
    }

    @Override
    public String what() {
        return "streams with 28 MB of heap or 128 descriptors";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(10);
    }

    @Override
    public int repeats() {
        return 2;
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        on.streams().kill();
        boolean heap = random.nextBoolean();
        JavaProcess.Spec spec = on.streams().spec();
        JavaProcess.Spec squeezed = heap ? spec.with("-Xmx28m") : spec.withDescriptors(DESCRIPTORS);
        JavaProcess process = on.start(new JavaProcess.Spec(
                "squeezed-" + random.nextInt(1_000_000),
                squeezed.arguments(),
                squeezed.environment(),
                squeezed.descriptors()));
        Await.within(SOON, () -> !process.isAlive());
        String how = heap ? "28 MB" : DESCRIPTORS + " descriptors";
        if (process.isAlive()) {
            played.note("with " + how + " it lived on");
            played.wrong("with " + how + " it was still there after " + SOON);
        } else {
            played.fired("with " + how + " it ended");
            played.require(
                    process.hasLogged("OutOfMemoryError") || process.hasLogged("Too many open files"),
                    "with " + how + " it did not log why it ended");
        }
        process.kill();
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since);
    }
}
