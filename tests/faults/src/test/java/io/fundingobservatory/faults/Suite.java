package io.fundingobservatory.faults;

import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.process.RunLog;
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
    private final Map<String, FaultTable> tables = new LinkedHashMap<>();

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
        faults.forEach(fault -> tables.put(fault.id(), new FaultTable(fault)));
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            for (Fault.Layout layout : List.of(Fault.Layout.ONE_BROKER, Fault.Layout.THREE_BROKERS)) {
                together(
                        faults.stream()
                                .filter(fault -> fault.layout() == layout)
                                .toList(),
                        layout,
                        seed);
            }
            for (Fault fault : faults) {
                if (fault.layout() == Fault.Layout.OWN) {
                    RunLog.line("%s seed %d: %s", fault.id(), seed, fault.what());
                    Path own = folders.fresh(fault.id(), seed);
                    Played played = new Played(fault.recoveryBound(), slack);
                    try {
                        fault.play(own, seed, played);
                    } catch (Exception e) {
                        played.wrong(e.toString());
                    }
                    tables.get(fault.id()).add(seed, played);
                    RunLog.line("   %s", tables.get(fault.id()).last());
                    folders.clean(own, tables.get(fault.id()).held());
                }
            }
        }
        System.out.println();
        System.out.printf("%-4s %-42s %6s %7s %9s  %s%n", "", "fault", "played", "bound", "worst", "seed");
        tables.values().forEach(FaultTable::print);
        return tables.values().stream().allMatch(FaultTable::held);
    }

    /** Faults of one layout share an installation: each one is settled before the next. */
    private void together(List<Fault> faults, Fault.Layout layout, long seed) throws Exception {
        if (faults.isEmpty()) {
            return;
        }
        Path own = folders.fresh(layout.name().toLowerCase(java.util.Locale.ROOT), seed);
        boolean held = true;
        try (var installation = new Installation(
                own, seed, Installation.Plan.of(layout.brokers()).settling(settled))) {
            for (Fault fault : faults) {
                Played played = new Played(fault.recoveryBound(), slack);
                var random = new Random(seed * 31 + fault.id().hashCode());
                RunLog.line("%s seed %d: %s", fault.id(), seed, fault.what());
                try {
                    for (int i = 0; i < Math.min(fault.repeats(), mostRepeats); i++) {
                        fault.play(installation, random, played);
                    }
                } catch (Exception e) {
                    played.wrong(e.toString());
                }
                installation.settle();
                for (Invariant invariant : installation.invariants()) {
                    invariant.violations().forEach(how -> played.wrong(invariant.name() + ": " + how));
                }
                FaultTable table = tables.get(fault.id());
                table.add(seed, played);
                table.verified(installation.oracle().rows());
                held &= table.held();
                RunLog.line("   %s", table.last());
                if (table.isBroken()) {
                    break; // what follows would only show the same again
                }
            }
        }
        folders.clean(own, held);
    }

    public Map<String, FaultTable> tables() {
        return tables;
    }
}
