package io.fundingobservatory.faults;

import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.invariants.NoLeak;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Faults at random, one after the other, on one installation of one broker, for hours. A second gateway is left alone: its lists count, and
 * so does what it has come to hold in the end (I8). All is drawn from the seed.
 */
final class Soak {
    /** Those that leave an installation as it was, and are short. */
    private static final List<String> FAULTS = List.of("F1", "F2", "F5", "F11", "F14");

    /** Of these each one that fired is a process that was killed. */
    private static final List<String> KILLS = List.of("F1", "F2", "F5");

    /** Five million in an hour and forty minutes. */
    private static final int QUOTES_A_SECOND = 800;

    private static final int COMPARED_EVERY = 10;

    /**
     * Growth counts from this part of the time on. A JVM takes its heap and compiles its code gradually: a
     * gateway grew from 190 to 265 MB in the first six minutes.
     */
    private static final int WARM_AFTER_PART = 4;

    private final RunFolders folders;
    private final double slack;
    private final Map<String, Played> tables = new LinkedHashMap<>();
    private final NoLeak leak = new NoLeak();
    private long plays;
    private long kills;
    private long missed;
    private boolean warm;
    private boolean broken;

    /**
     * A soak.
     *
     * @param folder for data and logs; of a run without a violation nothing is kept
     * @param slack how many times the bound of a recovery may be exceeded
     */
    Soak(Path folder, double slack) {
        this.folders = new RunFolders(folder);
        this.slack = slack;
    }

    /** Plays for so long, or until something is broken; whether everything held. */
    boolean play(long seed, Duration time) throws Exception {
        List<Fault> faults = FAULTS.stream().map(Catalogue::of).toList();
        faults.forEach(fault -> tables.put(fault.id(), new Played(fault, slack)));
        var random = new Random(seed);
        Path own = folders.fresh("soak", seed);
        long began = System.nanoTime();
        try (var on = new Installation(own, seed, Installation.Plan.of(1).sending(QUOTES_A_SECOND))) {
            JavaProcess bystander = on.startBystander();
            while (System.nanoTime() - began < time.toNanos() && !broken) {
                Fault fault = faults.get(random.nextInt(faults.size()));
                playOnce(fault, on, seed, random.nextLong());
                plays++;
                if (!warm && System.nanoTime() - began > time.toNanos() / WARM_AFTER_PART) {
                    warm = true;
                    leak.before(bystander);
                    Installation.log("growth counts from here: %s %s", bystander.name(), NoLeak.size(bystander));
                }
                if (plays % COMPARED_EVERY == 0) {
                    compare(on);
                    log(on, own, bystander);
                }
            }
            compare(on);
            if (warm) {
                Installation.log("%s", leak.after(bystander));
                leak.violations().forEach(how -> violated("NoLeak: " + how));
            }
            System.out.printf(
                    "%nseed %d: %d min, %d faults (%d came too late to count), %d of them kills, %,d rows compared%n",
                    seed,
                    Duration.ofNanos(System.nanoTime() - began).toMinutes(),
                    plays,
                    missed,
                    kills,
                    on.oracle().rows());
        }
        tables.values().forEach(Played::print);
        boolean held = !broken && tables.values().stream().allMatch(Played::held);
        folders.clean(own, held);
        return held;
    }

    private void playOnce(Fault fault, Installation on, long seed, long chance) {
        Played played = tables.get(fault.id());
        played.begin(seed);
        try {
            ((Fault.Shared) fault.scenario()).play(on, new Random(chance), played);
        } catch (Exception e) {
            played.wrong(e.toString());
        }
        broken |= played.isBroken();
        if (!played.hasFired()) {
            // F2 meant to come before the stores were back, and they were back already.
            missed++;
            return;
        }
        played.end();
        kills += KILLS.contains(fault.id()) ? 1 : 0;
    }

    private void compare(Installation on) throws InterruptedException {
        on.settle();
        for (Invariant invariant : on.invariants()) {
            invariant.violations().get().forEach(how -> violated(invariant.name() + ": " + how));
        }
    }

    private void violated(String how) {
        broken = true;
        System.out.println(how);
    }

    private void log(Installation on, Path own, JavaProcess bystander) throws IOException {
        JavaProcess broker = on.kafka().brokers().getFirst();
        Installation.log(
                "%d faults, %d kills, %,d rows compared; %s %s; %s %s; disk %,d MB",
                plays,
                kills,
                on.oracle().rows(),
                bystander.name(),
                NoLeak.size(bystander),
                broker.name(),
                NoLeak.size(broker),
                RunFolders.size(own) >> 20);
    }
}
