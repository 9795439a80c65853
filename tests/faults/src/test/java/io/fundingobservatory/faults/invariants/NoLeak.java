package io.fundingobservatory.faults.invariants;

import io.fundingobservatory.process.JavaProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** After many repeats of a fault a process that lived through them has at most a tenth more memory, descriptors and threads. */
public final class NoLeak {
    private static final double MOST = 1.10;

    /** Below these the noise of one measurement is more than a tenth. */
    private static final long FEW_KB = 50_000;

    private static final long FEW = 30;

    private record Size(long pid, long residentKb, long descriptors, long threads) {
        static Size of(JavaProcess process) {
            return new Size(process.pid(), process.residentKb(), process.descriptors(), process.threads());
        }
    }

    /** How much a process holds now, for people. */
    public static String size(JavaProcess process) {
        Size now = Size.of(process);
        return "%d MB, %d descriptors, %d threads".formatted(now.residentKb() / 1024, now.descriptors(), now.threads());
    }

    private final Map<String, Size> before = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    /** When it has warmed up. */
    public void before(JavaProcess process) {
        before.put(process.name(), Size.of(process));
    }

    /** After the repeats, in the same process. */
    public String after(JavaProcess process) {
        Size then = before.get(process.name());
        Size now = Size.of(process);
        if (then == null || then.pid() != now.pid()) {
            throw new IllegalStateException(process.name() + " was not the same process");
        }
        compare(process.name() + " memory kB", then.residentKb(), now.residentKb(), FEW_KB);
        compare(process.name() + " descriptors", then.descriptors(), now.descriptors(), FEW);
        compare(process.name() + " threads", then.threads(), now.threads(), FEW);
        return "%s: %d → %d MB, %d → %d descriptors, %d → %d threads"
                .formatted(
                        process.name(),
                        then.residentKb() / 1024,
                        now.residentKb() / 1024,
                        then.descriptors(),
                        now.descriptors(),
                        then.threads(),
                        now.threads());
    }

    void compare(String what, long then, long now, long few) {
        if (now > then * MOST && now - then > few * (MOST - 1)) {
            violations.add(what + " grew from " + then + " to " + now);
        }
    }

    public List<String> violations() {
        return List.copyOf(violations);
    }
}
