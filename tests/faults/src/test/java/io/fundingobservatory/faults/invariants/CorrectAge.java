package io.fundingobservatory.faults.invariants;

import java.util.ArrayList;
import java.util.List;

/** The time of generation never goes back, and rows are marked stale within 180 s and 10 s, never shown beyond 600 s. */
public final class CorrectAge {
    private final List<String> violations = new ArrayList<>();
    private long generatedAtMs = Long.MIN_VALUE;

    /** Checks the next response of one gateway. */
    public void received(ListSample sample) {
        if (sample.status() != 200) {
            return;
        }
        if (sample.generatedAtMs() < generatedAtMs) {
            violations.add("generated at " + sample.generatedAtMs() + " after " + generatedAtMs);
        }
        generatedAtMs = Math.max(generatedAtMs, sample.generatedAtMs());
        sample.wrongAges().stream().limit(Math.max(0, 20L - violations.size())).forEach(violations::add);
    }

    public List<String> violations() {
        return List.copyOf(violations);
    }
}
