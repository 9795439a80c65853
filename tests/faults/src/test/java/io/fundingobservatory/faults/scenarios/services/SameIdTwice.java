package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.process.Services;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.testbed.Await;
import java.time.Duration;
import java.util.Random;

/** A second streams is started with the id of the first, in another directory: one of them gives up and says why. */
public final class SameIdTwice implements Fault {
    private static final String MESSAGE = "another process runs under the same observatory.streams.instance-id";

    @Override
    public String id() {
        return "F26";
    }

    @Override
    public String what() {
        return "two streams with the same static id";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(30);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        JavaProcess.Spec same = Services.streams(
                Installation.STREAMS,
                on.kafka().bootstrap(Installation.SECOND_STREAMS),
                on.folder().resolve("same-id-" + random.nextInt(1_000_000)));
        long since = System.nanoTime();
        int before = on.streams().countLogged(MESSAGE);
        JavaProcess second =
                on.start(new JavaProcess.Spec("same-id", same.arguments(), same.environment(), same.descriptors()));
        Await.within(
                Duration.ofSeconds(60), () -> on.streams().countLogged(MESSAGE) > before || second.hasLogged(MESSAGE));
        if (on.streams().countLogged(MESSAGE) > before) {
            played.fired("the first one gave up");
        } else if (second.hasLogged(MESSAGE)) {
            played.fired("the second one gave up");
        }
        played.awaitFlow(on, since);
        // Whichever is left ends, and the first one runs alone as before.
        second.kill();
        on.streams().kill();
        on.streams().restart();
        played.require(on.awaitFlow(Duration.ofSeconds(60)), "no flow with one again: " + on.flowState());
    }
}
