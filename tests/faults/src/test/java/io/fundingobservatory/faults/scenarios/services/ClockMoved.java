package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.planted.Agent;
import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.testbed.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The wall clock of streams or of the gateway jumps ahead or back by an hour, or by 30 days. It returns after
 * half a minute. Rows stay exact and are not removed. The generation time never goes back.
 */
public final class ClockMoved implements Fault {
    private static final List<Duration> BY = List.of(Duration.ofHours(1), Duration.ofHours(-1), Duration.ofDays(30));
    private static final Duration LASTS = Duration.ofSeconds(30);

    @Override
    public String id() {
        return "F21";
    }

    @Override
    public String what() {
        return "clock +1 h, −1 h, +30 d on one process";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Layout layout() {
        return Layout.OWN;
    }

    @Override
    public void play(Path folder, long seed, Played played) throws Exception {
        Path agent = Agent.jar(folder);
        Path streamsClock = folder.resolve("streams.clock");
        Path gatewayClock = folder.resolve("gateway.clock");
        var plan = new Installation.Plan(
                1,
                600,
                Map.of(),
                moved(agent, streamsClock),
                moved(agent, gatewayClock),
                Map.of(),
                Installation.Plan.SETTLED);
        var random = new Random(seed);
        try (var on = new Installation(folder, seed, plan)) {
            Duration by = BY.get(Math.floorMod(seed, BY.size()));
            boolean ofStreams = random.nextBoolean();
            Path clock = ofStreams ? streamsClock : gatewayClock;
            JavaProcess process = ofStreams ? on.streams() : on.gateway();
            long since = System.nanoTime();
            Files.writeString(clock, by.toMillis() + "\n");
            if (Await.within(Duration.ofSeconds(10), () -> process.hasLogged("clock moved by " + by.toMillis()))) {
                played.fired(process.name() + " by " + by);
            }
            played.awaitFlow(on, since);
            TimeUnit.NANOSECONDS.sleep(LASTS.toNanos());
            played.note("the gateway's time is "
                    + (on.probe().last().generatedAtMs() - System.currentTimeMillis()) / 1_000 + " s ahead and shows "
                    + on.probe().last().contracts().size() + " rows");
            Files.writeString(clock, "0\n");
            played.require(on.awaitFlow(Duration.ofSeconds(60)), "no flow when it was right again");
            on.settle();
            for (Invariant invariant : on.invariants()) {
                invariant.violations().forEach(how -> played.wrong(invariant.name() + ": " + how));
            }
        }
    }

    private static UnaryOperator<JavaProcess.Spec> moved(Path agent, Path clock) {
        return spec -> spec.with("-javaagent:" + agent + "=clock:" + clock);
    }
}
