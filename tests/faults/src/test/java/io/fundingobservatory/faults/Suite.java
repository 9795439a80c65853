package io.fundingobservatory.faults;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Plays faults and tells what came of them: per fault how often it fired, the worst recovery with its seed, and what was broken. */
public final class Suite {
    private final RunFolders folders;
    private final double slack;
    private int mostRepeats = Integer.MAX_VALUE;
    private int settled = Installation.Plan.SETTLED;
    private final Map<String, Played> tables = new LinkedHashMap<>();

    /**
     * A suite.
     *
     * @param folder for data and logs; of a run without a violation nothing is kept
     * @param slack how many times the bound of a recovery may be exceeded
     */
    public Suite(Path folder, double slack) {
        this.folders = new RunFolders(folder);
        this.slack = slack;
    }

    /** Each fault at most so often for each seed. */
    public Suite repeating(int most) {
        mostRepeats = most;
        return this;
    }

    /** With the settlements of so many contracts. */
    public Suite settling(int contracts) {
        settled = contracts;
        return this;
    }

    /** Each fault with so many seeds; whether everything held. */
    public boolean play(List<Fault> faults, long firstSeed, int seeds) throws Exception {
        faults.forEach(fault -> tables.put(fault.id(), new Played(fault, slack)));
        for (int i = 0; i < seeds; i++) {
            long seed = firstSeed + i;
            for (int brokers : new int[] {1, 3}) {
                together(
                        faults.stream()
                                .filter(fault -> fault.brokers() == brokers)
                                .toList(),
                        brokers,
                        seed);
            }
            for (Fault fault : faults) {
                if (fault.scenario() instanceof Fault.Own scenario) {
                    Path own = folders.fresh(fault.id(), seed);
                    boolean held = play(fault, seed, played -> scenario.play(own, seed, played));
                    folders.clean(own, held);
                }
            }
        }
        System.out.println();
        System.out.printf("%-4s %-42s %6s %7s %9s  %s%n", "", "fault", "played", "bound", "worst", "seed");
        tables.values().forEach(Played::print);
        return tables.values().stream().allMatch(Played::held);
    }

    private interface Scenario {
        void play(Played played) throws Exception;
    }

    /** Plays one fault with one seed; whether it held. */
    private boolean play(Fault fault, long seed, Scenario scenario) {
        Played played = tables.get(fault.id());
        played.begin(seed);
        Installation.log("%s seed %d: %s", fault.id(), seed, fault.what());
        try {
            scenario.play(played);
        } catch (Exception e) {
            played.wrong(e.toString());
        }
        played.end();
        Installation.log("   %s", played.last());
        return played.held();
    }

    /** Faults that share an installation: each one is settled before the next. */
    private void together(List<Fault> faults, int brokers, long seed) throws Exception {
        if (faults.isEmpty()) {
            return;
        }
        Path own = folders.fresh("brokers-" + brokers, seed);
        boolean held = true;
        try (var on = new Installation(own, seed, Installation.Plan.of(brokers).settling(settled))) {
            for (Fault fault : faults) {
                held &= play(fault, seed, played -> shared(fault, on, seed, played));
                if (tables.get(fault.id()).isBroken()) {
                    break; // what follows would only show the same again
                }
            }
        }
        folders.clean(own, held);
    }

    private void shared(Fault fault, Installation on, long seed, Played played) throws Exception {
        var random = new Random(seed * 31 + fault.id().hashCode());
        try {
            for (int i = 0; i < Math.min(fault.repeats(), mostRepeats); i++) {
                ((Fault.Shared) fault.scenario()).play(on, random, played);
            }
        } finally {
            on.settle();
            played.check(on.invariants());
            played.verified(on.oracle().rows());
        }
    }

    public Map<String, Played> tables() {
        return tables;
    }
}
