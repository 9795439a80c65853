package io.fundingobservatory.streams.window;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.AssetContracts;
import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.formats.PairEvent;
import io.fundingobservatory.topics.records.ContractKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** The contracts of each asset, in a store and, as tables are made of them, in memory. */
final class ListedContracts {
    private final KeyValueStore<byte[], PricedContract> store;
    private final Map<String, AssetContracts> assets = new HashMap<>();

    /** As the store holds them at a start or a revival of the task; what cannot be read counts as absent. */
    ListedContracts(KeyValueStore<byte[], PricedContract> store) {
        this.store = store;
        try (KeyValueIterator<byte[], PricedContract> all = store.all()) {
            all.forEachRemaining(row -> {
                if (row.value != null) {
                    of(row.value.contract().asset()).restore(row.value);
                }
            });
        }
    }

    /** The key of a contract of an asset in the stores. */
    static byte[] storeKey(String asset, ContractKey key) {
        return (asset + '\0' + key).getBytes(UTF_8);
    }

    /** An asset's contracts; from now on it is one of {@link #assets}, also without any. */
    AssetContracts of(String asset) {
        return assets.computeIfAbsent(asset, AssetContracts::new);
    }

    /** Every asset that has contracts, or a table that stands published. */
    Set<String> assets() {
        return assets.keySet();
    }

    /**
     * Lists a contract; returns whether the asset's table may change.
     *
     * @param atMs when its price was read, by the agreed time of the brokers, epoch ms
     */
    boolean list(PairEvent.ContractListed listed, long atMs) {
        AssetContracts contracts = of(listed.asset());
        ContractKey key = listed.contract().key();
        boolean changes = contracts.list(listed.contract(), atMs);
        store.put(storeKey(listed.asset(), key), contracts.stored(key));
        return changes;
    }

    /** Whether the contract was there. */
    boolean remove(String asset, ContractKey key) {
        store.delete(storeKey(asset, key));
        return of(asset).remove(key);
    }

    /** Whether this listing of the ticker is of the asset. */
    boolean isListed(String asset, ContractKey key, long epoch) {
        Long listed = of(asset).epoch(key);
        return listed != null && listed == epoch;
    }

    void forget(String asset) {
        assets.remove(asset);
    }
}
