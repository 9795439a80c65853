package io.fundingobservatory.faults.scenarios.brokers;

import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.process.Replicas;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** All brokers get SIGKILL at once and come back. */
public final class AllBrokersKilled implements Fault {
    @Override
    public String id() {
        return "F8";
    }

    @Override
    public String what() {
        return "all 3 brokers SIGKILL and back";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(60);
    }

    @Override
    public Layout layout() {
        return Layout.THREE_BROKERS;
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        long since = System.nanoTime();
        on.kafka().brokers().forEach(JavaProcess::kill);
        played.fired("all killed");
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
        on.kafka().brokers().forEach(JavaProcess::restart);
        played.awaitFlow(on, since);
        Replicas.awaitAllInSync(on.kafka());
    }
}
