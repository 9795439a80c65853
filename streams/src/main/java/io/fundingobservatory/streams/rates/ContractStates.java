package io.fundingobservatory.streams.rates;

import io.fundingobservatory.streams.formats.ContractState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * The states of the contracts that quotes have reported, kept decoded in addition to the bytes in the store.
 * Reading one from the store for each quote was 8 % of a stream thread's samples. Only {@code QuoteProcessor}
 * writes such states.
 */
public final class ContractStates {
    /** In memory with a compacted changelog, by {@code venue|symbol}. The name carries the version of its format. */
    public static final String STORE = "contracts-v3";

    private final KeyValueStore<byte[], ContractState> store;
    private final ContractHistory history;
    private final Map<Bytes, ContractState> listed = new HashMap<>();

    /** Written for each quote, and read whole before the first: its closed segments are compacted at once. */
    public static StoreBuilder<?> builder() {
        return Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(STORE), Serdes.ByteArray(), ContractState.FORMAT.serde())
                .withLoggingEnabled(Map.of(
                        TopicConfig.SEGMENT_MS_CONFIG,
                        Long.toString(Duration.ofMinutes(3).toMillis())));
    }

    /** Reads the store at a start or a revival of the task. */
    ContractStates(KeyValueStore<byte[], ContractState> store, ContractHistory history) {
        this.store = store;
        this.history = history;
        try (KeyValueIterator<byte[], ContractState> all = store.all()) {
            all.forEachRemaining(contract -> keep(contract.key, contract.value));
        }
    }

    /** A state that cannot be read counts as absent. */
    private void keep(byte[] key, @Nullable ContractState state) {
        if (state != null && state.listing() != null) {
            listed.put(Bytes.wrap(key), state);
        }
    }

    /** By contract key; null where nothing is known of it. */
    @Nullable
    ContractState get(byte[] key) {
        ContractState state = listed.get(Bytes.wrap(key));
        if (state == null) {
            state = store.get(key);
        }
        return state == null ? history.of(key) : state;
    }

    /** Writes a state into the store, and keeps it decoded as well. */
    void put(byte[] key, ContractState state) {
        store.put(key, state);
        keep(key, state);
    }

    /** Stores what the published ledger knows of the contracts of one partition that have no state. */
    void restore(int partition) {
        history.eachOf(partition, store::putIfAbsent);
    }

    /** Every contract that only the published ledger has reported, and no quote. */
    void eachRestored(BiConsumer<byte[], ContractState> each) {
        var restored = new ArrayList<KeyValue<byte[], ContractState>>();
        try (KeyValueIterator<byte[], ContractState> all = store.all()) {
            all.forEachRemaining(contract -> {
                if (contract.value != null && contract.value.listing() == null) {
                    restored.add(contract);
                }
            });
        }
        restored.forEach(contract -> each.accept(contract.key, contract.value));
    }

    void delete(byte[] key) {
        store.delete(key);
        listed.remove(Bytes.wrap(key));
    }

    /** Every contract that quotes have reported. */
    void forEach(BiConsumer<byte[], ContractState> each) {
        // Of a copy: what is done with one may change or delete it.
        List.copyOf(listed.entrySet())
                .forEach(contract -> each.accept(contract.getKey().get(), contract.getValue()));
    }
}
