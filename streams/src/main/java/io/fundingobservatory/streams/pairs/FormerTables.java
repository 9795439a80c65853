package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.formats.ContractState.Restored;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.records.ContractKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What stood published before the stores were lost. A table that is made before {@code rates} has reported each of
 * these contracts would lack their pairs.
 *
 * @param contracts the contracts of each asset with a published table; those that are no longer settled are not among them
 */
public record FormerTables(Map<String, Set<ContractKey>> contracts) {
    /** Nothing was lost. */
    public static final FormerTables NONE = new FormerTables(Map.of());

    public FormerTables {
        contracts = Map.copyOf(contracts);
    }

    /**
     * The tables that stand, with their contracts by the published ledger.
     *
     * @param assets those with a published table
     */
    public static FormerTables of(Set<String> assets, Map<ContractKey, Restored> ledger) {
        long newestMs =
                ledger.values().stream().mapToLong(Restored::newestMs).max().orElse(0);
        var contracts = new HashMap<String, Set<ContractKey>>();
        assets.forEach(asset -> contracts.put(asset, new HashSet<>()));
        ledger.forEach((key, restored) -> {
            Set<ContractKey> ofAsset = contracts.get(restored.asset());
            if (ofAsset != null && restored.newestMs() >= newestMs - Window.DAY_MS) {
                ofAsset.add(key);
            }
        });
        return new FormerTables(contracts);
    }

    boolean isEmpty() {
        return contracts.isEmpty();
    }

    Set<String> assets() {
        return contracts.keySet();
    }

    Set<ContractKey> of(String asset) {
        return contracts.getOrDefault(asset, Set.of());
    }
}
