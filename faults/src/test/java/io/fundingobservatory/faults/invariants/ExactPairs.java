package io.fundingobservatory.faults.invariants;

import io.fundingobservatory.faults.oracle.PairsOracle;
import java.util.List;

/** Sums of 30 days, their counts and their differences are what the published settlements add up to. */
public record ExactPairs(PairsOracle oracle) implements Invariant {
    @Override
    public List<String> violations() {
        return oracle.violations();
    }
}
