package io.fundingobservatory.faults.invariants;

import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.oracle.RatesOracle.Broken;
import java.util.List;

/** Every field of every row is the oracle's, to the last digit. */
public record ExactValue(RatesOracle oracle) implements Invariant {
    @Override
    public List<String> violations() {
        return oracle.violations(Broken.EXACT_VALUE);
    }
}
