package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.processing.StoredJson;
import io.fundingobservatory.topics.records.ContractKey;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The contracts of each asset, in their store. */
final class StoredContracts {
    private static final char SEPARATOR = '\0';

    private final KeyValueStore<byte[], PricedContract> store;

    StoredContracts(KeyValueStore<byte[], PricedContract> store) {
        this.store = store;
    }

    /** The key of a contract of an asset, here and in the ledger. */
    static byte[] key(String asset, ContractKey contract) {
        return (asset + SEPARATOR + contract).getBytes(UTF_8);
    }

    /** Every contract with its asset. */
    void forEach(BiConsumer<String, PricedContract> each) {
        StoredJson.forEach(
                store.all(), (key, value) -> each.accept(value.contract().asset(), value));
    }

    /** An asset's contracts; a value that cannot be read counts as absent. */
    SortedMap<ContractKey, PricedContract> of(String asset) {
        var contracts = new TreeMap<ContractKey, PricedContract>();
        byte[] from = (asset + SEPARATOR).getBytes(UTF_8);
        byte[] to = (asset + (char) (SEPARATOR + 1)).getBytes(UTF_8);
        StoredJson.forEach(
                store.range(from, to),
                (key, value) -> contracts.put(value.contract().key(), value));
        return contracts;
    }

    /** A contract of an asset; null when it is not listed there. */
    @Nullable
    PricedContract get(String asset, ContractKey contract) {
        return store.get(key(asset, contract));
    }

    /** Lists a contract whose price was read at an instant, epoch ms; returns whether the asset's table may change. */
    boolean list(Contract contract, long atMs) {
        PricedContract known = get(contract.asset(), contract.key());
        if (known != null && known.contract().equals(contract) && atMs <= known.publishedMs()) {
            return false; // at each start every contract is reported again: the other contracts need not be read
        }
        var all = of(contract.asset());
        PricedContract before = all.get(contract.key());
        PricedContract now =
                before == null ? PricedContract.first(contract, atMs) : before.published(contract, atMs, all.values());
        all.put(contract.key(), now);
        store.put(key(contract.asset(), contract.key()), now);
        return before == null || now.changesTableOf(before, all.values());
    }

    /** Removes a contract; whether it was there. */
    boolean remove(String asset, ContractKey contract) {
        return store.delete(key(asset, contract)) != null;
    }
}
