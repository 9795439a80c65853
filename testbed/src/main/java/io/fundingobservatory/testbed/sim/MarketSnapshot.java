package io.fundingobservatory.testbed.sim;

import io.fundingobservatory.topics.records.ContractType;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one simulated exchange lists at one instant.
 *
 * @param nowMs the instant, epoch ms
 * @param listings in the exchange's order
 */
public record MarketSnapshot(long nowMs, List<SimulatedContract> listings) {
    /** The contracts that are margined one way. */
    public List<SimulatedContract> of(ContractType type) {
        return where(contract -> contract.type() == type);
    }

    /** The contracts that are quoted in a currency. */
    public List<SimulatedContract> quotedIn(String currency) {
        return where(contract -> contract.quote().equals(currency));
    }

    /** The contracts in one of these states. */
    public List<SimulatedContract> in(SimulatedContract.State... states) {
        return where(contract -> List.of(states).contains(contract.state()));
    }

    public List<SimulatedContract> where(Predicate<SimulatedContract> condition) {
        return listings.stream().filter(condition).toList();
    }

    /** The contract of that spelling; null when the exchange has none. */
    public @Nullable SimulatedContract find(Wire wire, @Nullable String symbol) {
        for (SimulatedContract contract : listings) {
            if (wire.symbol(contract).equals(symbol)) {
                return contract;
            }
        }
        return null;
    }

    /** Every row of that spelling, where an exchange lists a contract twice. */
    public List<SimulatedContract> findAll(Wire wire, @Nullable String symbol) {
        return where(contract -> wire.symbol(contract).equals(symbol));
    }
}
