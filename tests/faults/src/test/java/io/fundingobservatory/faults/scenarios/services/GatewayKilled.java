package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The gateway receives SIGKILL under load and is started again at once. */
public final class GatewayKilled implements Fault {
    @Override
    public String id() {
        return "F5";
    }

    @Override
    public String what() {
        return "gateway SIGKILL under load";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(3);
    }

    @Override
    public int repeats() {
        return 5;
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(800));
        on.probe().expectDown();
        long since = System.nanoTime();
        on.gateway().kill();
        played.fired("killed");
        on.gateway().restart();
        on.probe().expectUp();
        on.probe().awaitWhole(Duration.ofMinutes(5));
        played.recovered(since);
    }
}
