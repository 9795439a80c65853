package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.process.Prometheus;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Streams is stopped in order under load and started again: its stores on disk are used as they are. */
public final class StreamsStopped implements Fault {
    private static final Duration PAIRS_BOUND = Duration.ofSeconds(10);
    private static final String IN_MEMORY = "contracts";
    private static final String ON_DISK = "ledger";

    @Override
    public String id() {
        return "F0";
    }

    @Override
    public String what() {
        return "streams stopped in order and started again";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(3);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        TimeUnit.MILLISECONDS.sleep(300 + random.nextInt(1_700));
        on.streams().terminate();
        played.fired("stopped");
        String asset = on.correctSettlement();
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since);
        played.awaitPairs(on, asset, since, PAIRS_BOUND);
        played.require(Prometheus.restored(on.streams(), IN_MEMORY) > 0, "restored records are not counted");
        long restored = Prometheus.restored(on.streams(), ON_DISK);
        played.require(restored == 0, restored + " records of the store on disk were restored");
    }
}
