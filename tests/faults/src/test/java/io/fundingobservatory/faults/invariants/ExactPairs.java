package io.fundingobservatory.faults.invariants;

import io.fundingobservatory.oracle.PairsOracle;
import java.util.List;

/** Settlements are published once. Pairs have the sums, counts, differences and receipts of the published settlements. */
public record ExactPairs(PairsOracle oracle) implements Invariant {
    @Override
    public List<String> violations() {
        return oracle.violations();
    }
}
