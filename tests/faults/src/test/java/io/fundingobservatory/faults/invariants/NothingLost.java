package io.fundingobservatory.faults.invariants;

import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.oracle.RatesOracle.Broken;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Every quote that the brokers have acknowledged is on its topic, and has its effect in {@code rates.latest}. */
public final class NothingLost implements Invariant {
    private final RatesOracle oracle;
    private final Supplier<Set<Long>> lost;

    /** @param lost positions of records that were acknowledged and are not there */
    public NothingLost(RatesOracle oracle, Supplier<Set<Long>> lost) {
        this.oracle = oracle;
        this.lost = lost;
    }

    @Override
    public List<String> violations() {
        var all = new ArrayList<>(oracle.violations(Broken.NOTHING_LOST));
        lost.get().stream()
                .limit(20)
                .forEach(position -> all.add("acknowledged and gone: partition " + (position >>> 48) + " offset "
                        + (position & 0xffff_ffff_ffffL)));
        return all;
    }
}
