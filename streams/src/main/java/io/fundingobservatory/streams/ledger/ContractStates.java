package io.fundingobservatory.streams.ledger;

import io.fundingobservatory.streams.formats.ContractState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The states of the contracts that quotes have reported, kept decoded in addition to the bytes in the store.
 * Reading one from the store for each quote was 8 % of a stream thread's samples. Only {@code QuoteProcessor}
 * writes such states. States that only the ledger reports are read from the store.
 */
public final class ContractStates {
    private final KeyValueStore<byte[], ContractState> store;
    private final Map<Bytes, ContractState> listed = new HashMap<>();

    /** As the store holds them at a start or a revival of the task. */
    public ContractStates(KeyValueStore<byte[], ContractState> store) {
        this.store = store;
        try (KeyValueIterator<byte[], ContractState> all = store.all()) {
            all.forEachRemaining(contract -> keep(contract.key, contract.value));
        }
    }

    /** What cannot be read counts as absent. */
    private void keep(byte[] key, @Nullable ContractState state) {
        if (state != null && state.listing() != null) {
            listed.put(Bytes.wrap(key), state);
        }
    }

    /** By contract key; null where nothing is known of it. */
    @Nullable
    public ContractState get(byte[] key) {
        ContractState state = listed.get(Bytes.wrap(key));
        return state == null ? store.get(key) : state;
    }

    /** Writes a state into the store, and keeps it decoded as well. */
    public void put(byte[] key, ContractState state) {
        store.put(key, state);
        keep(key, state);
    }

    /** What is known of a contract is forgotten. */
    public void delete(byte[] key) {
        store.delete(key);
        listed.remove(Bytes.wrap(key));
    }

    /** Every contract that quotes have told of. */
    public void forEach(BiConsumer<byte[], ContractState> each) {
        // Of a copy: what is done with one may be to change or forget it.
        List.copyOf(listed.entrySet())
                .forEach(contract -> each.accept(contract.getKey().get(), contract.getValue()));
    }
}
