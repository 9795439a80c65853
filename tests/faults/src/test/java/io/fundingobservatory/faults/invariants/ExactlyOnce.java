package io.fundingobservatory.faults.invariants;

import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.oracle.RatesOracle.Broken;
import java.util.List;

/** {@code rates.normalised}, read committed, is the oracle's list record for record within each contract. */
public record ExactlyOnce(RatesOracle oracle) implements Invariant {
    @Override
    public List<String> violations() {
        return oracle.violations(Broken.EXACTLY_ONCE);
    }
}
