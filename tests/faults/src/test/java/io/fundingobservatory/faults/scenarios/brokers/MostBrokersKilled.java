package io.fundingobservatory.faults.scenarios.brokers;

import io.fundingobservatory.faults.invariants.ListSample;
import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.process.Replicas;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Two of three brokers are away for a minute: nothing may be acknowledged, the gateway serves its last list with its age. */
public final class MostBrokersKilled implements Fault {
    private static final Duration AWAY = Duration.ofSeconds(60);

    /** What was under way when they went may still be acknowledged. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(1);

    @Override
    public String id() {
        return "F7";
    }

    @Override
    public String what() {
        return "2 of 3 brokers away for 60 s";
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
        List<JavaProcess> two = new ArrayList<>(on.kafka().brokers());
        Collections.shuffle(two, random);
        two.removeLast();
        two.forEach(JavaProcess::kill);
        TimeUnit.NANOSECONDS.sleep(UNDER_WAY.toNanos());
        int before = on.load().acknowledged().size();
        TimeUnit.NANOSECONDS.sleep(AWAY.minus(UNDER_WAY).toNanos());
        int acknowledged = on.load().acknowledged().size() - before;
        played.require(acknowledged == 0, acknowledged + " quotes acknowledged by one broker of three");
        ListSample list = on.probe().last();
        long age = System.currentTimeMillis() - list.generatedAtMs();
        played.require(list.status() == 200, "the gateway returned " + list.status());
        played.fired("away, the last list is " + age / 1_000 + " s old");
        long since = System.nanoTime();
        two.forEach(JavaProcess::restart);
        played.awaitFlow(on, since);
        Replicas.awaitAllInSync(on.kafka());
    }
}
