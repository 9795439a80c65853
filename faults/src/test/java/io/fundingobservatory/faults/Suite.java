package io.fundingobservatory.faults;

import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.invariants.NoLeak;
import io.fundingobservatory.faults.invariants.Recovers;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Plays faults and tells what came of them: per fault how often it fired, the worst recovery with its seed, and what was broken. */
public final class Suite {
    private final Path folder;
    private final double slack;
    private int mostRepeats = Integer.MAX_VALUE;
    private final Map<String, FaultTable> tables = new LinkedHashMap<>();

    /**
     * A suite.
     *
     * @param folder for data and logs; of a run without a violation nothing is kept
     * @param slack how many times the bound of a recovery may be exceeded
     */
    public Suite(Path folder, double slack) {
        this.folder = folder;
        this.slack = slack;
    }

    /** Each fault at most so often for each seed. */
    public Suite repeating(int most) {
        mostRepeats = most;
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
                    say("%s seed %d: %s", fault.id(), seed, fault.what());
                    Path own = runFolder(fault.id(), seed);
                    Played played = new Played(fault.bound(), slack);
                    try {
                        fault.play(own, seed, played);
                    } catch (Exception e) {
                        played.wrong(e.toString());
                    }
                    tables.get(fault.id()).add(seed, played);
                    clean(own, tables.get(fault.id()).held());
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
        Path own = runFolder(layout.name().toLowerCase(java.util.Locale.ROOT), seed);
        boolean held = true;
        try (var installation = new Installation(own, seed, Installation.Plan.of(layout.brokers()))) {
            for (Fault fault : faults) {
                Played played = new Played(fault.bound(), slack);
                var random = new Random(seed * 31 + fault.id().hashCode());
                say("%s seed %d: %s", fault.id(), seed, fault.what());
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
                say("   %s", table.last());
                if (table.isBroken()) {
                    break; // what follows would only show the same again
                }
            }
        }
        clean(own, held);
    }

    /** Random faults on one installation of one broker, for so long; whether everything held. */
    public boolean soak(long seed, Duration time) throws Exception {
        List<Fault> faults = Catalogue.ALL.stream()
                .filter(fault -> Catalogue.IN_A_SOAK.contains(fault.id()))
                .toList();
        faults.forEach(fault -> tables.put(fault.id(), new FaultTable(fault)));
        var random = new Random(seed);
        Path own = runFolder("soak", seed);
        long until = System.nanoTime() + time.toNanos();
        long fired = 0;
        boolean held = true;
        var leak = new NoLeak();
        try (var installation = new Installation(own, seed, Installation.Plan.of(1))) {
            leak.before(installation.kafka().brokers().getFirst());
            while (System.nanoTime() < until && held) {
                Fault fault = faults.get(random.nextInt(faults.size()));
                Played played = new Played(fault.bound(), slack);
                try {
                    fault.play(installation, new Random(random.nextLong()), played);
                } catch (Exception e) {
                    played.wrong(e.toString());
                }
                fired += played.fired().size();
                if (fired % 10 == 0) {
                    installation.settle();
                    installation
                            .invariants()
                            .forEach(invariant ->
                                    invariant.violations().forEach(how -> played.wrong(invariant.name() + ": " + how)));
                    say(
                            "%d faults, %,d rows compared; %s",
                            fired,
                            installation.oracle().rows(),
                            leak.after(installation.kafka().brokers().getFirst()));
                }
                tables.get(fault.id()).add(seed, played);
                held = tables.get(fault.id()).held();
            }
            installation.settle();
            for (Invariant invariant : installation.invariants()) {
                for (String how : invariant.violations()) {
                    held = false;
                    System.out.println(invariant.name() + ": " + how);
                }
            }
            System.out.printf(
                    "seed %d: %d faults in %d min, %,d rows compared%n",
                    seed, fired, time.toMinutes(), installation.oracle().rows());
        }
        tables.values().forEach(FaultTable::print);
        clean(own, held);
        return held;
    }

    public Map<String, FaultTable> tables() {
        return tables;
    }

    private static void say(String format, Object... values) {
        System.out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + format.formatted(values));
    }

    private Path runFolder(String name, long seed) throws IOException {
        Path own = folder.resolve(name + "-" + seed);
        clean(own, true);
        return Files.createDirectories(own);
    }

    private static void clean(Path own, boolean held) throws IOException {
        if (held && Files.exists(own)) {
            try (Stream<Path> files = Files.walk(own)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** What one fault came to over all seeds. */
    public static final class FaultTable {
        private final Fault fault;
        private int played;
        private Duration worst = Duration.ZERO;
        private long worstSeed;
        private long rows;
        private final List<String> wrong = new ArrayList<>();
        private final List<String> slow = new ArrayList<>();
        private Played last = new Played(Duration.ZERO, 1);

        FaultTable(Fault fault) {
            this.fault = fault;
        }

        void add(long seed, Played came) {
            last = came;
            played += came.fired().size();
            for (Duration took : came.recovers().took()) {
                if (took.compareTo(worst) > 0) {
                    worst = took;
                    worstSeed = seed;
                }
            }
            if (came.fired().isEmpty()) {
                wrong.add("seed " + seed + ": it did not fire " + came.notes());
            }
            came.wrong().forEach(how -> wrong.add("seed " + seed + ": " + how));
            came.recovers().violations().forEach(how -> slow.add("seed " + seed + ": " + how));
        }

        void verified(long rows) {
            this.rows = Math.max(this.rows, rows);
        }

        /** Whether it fired, nothing was broken and everything worked again in time. */
        public boolean held() {
            return wrong.isEmpty() && slow.isEmpty();
        }

        /** Whether something is wrong that more time would not have mended. */
        boolean isBroken() {
            return !wrong.isEmpty();
        }

        /** What was broken, and what took too long. */
        public List<String> wrong() {
            var all = new ArrayList<>(wrong);
            all.addAll(slow);
            return all;
        }

        String last() {
            String times = Arrays.toString(
                    last.recovers().took().stream().map(Recovers::seconds).toArray());
            return (held() ? "held" : (isBroken() ? "BROKEN " : "SLOW ") + wrong()) + ", recovered in " + times
                    + " s of "
                    + Recovers.seconds(fault.bound()) + ", " + last.fired() + " " + last.notes() + ", " + rows
                    + " rows compared";
        }

        void print() {
            System.out.printf(
                    "%-4s %-42s %6d %5s s %7s s  %d%s%n",
                    fault.id(),
                    fault.what(),
                    played,
                    Recovers.seconds(fault.bound()),
                    Recovers.seconds(worst),
                    worstSeed,
                    isBroken() ? "  BROKEN" : !held() ? "  SLOW" : played == 0 ? "  not played" : "");
            wrong().forEach(how -> System.out.println("       " + how));
        }
    }
}
