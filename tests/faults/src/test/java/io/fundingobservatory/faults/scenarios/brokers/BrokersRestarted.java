package io.fundingobservatory.faults.scenarios.brokers;

import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.process.Replicas;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.Random;

/** Three brokers are restarted one after the other, as for an upgrade. The table gives no time: half a minute each. */
public final class BrokersRestarted implements Fault {
    @Override
    public String id() {
        return "F9";
    }

    @Override
    public String what() {
        return "rolling restart of 3 brokers";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Layout layout() {
        return Layout.THREE_BROKERS;
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        for (JavaProcess broker : on.kafka().brokers()) {
            long since = System.nanoTime();
            broker.terminate();
            played.fired(broker.name() + " ended");
            broker.restart();
            played.awaitFlow(on, since);
            Replicas.awaitAllInSync(on.kafka());
        }
    }
}
