package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.processing.StoredJson;
import io.fundingobservatory.streams.settlements.ErrorHistogram;
import java.util.List;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The stores of {@code pairs}, all with changelogs. The ledger, millions of settlements, is on disk; the others
 * are small and in memory. Changelogs are compacted only: no store deletes by the time of a record.
 *
 * <p>A name carries the version of its format. A new format is a new name: a start finds the former state lost, and a
 * reset computes it again.
 */
public final class PairsStores {
    /** By asset, {@code venue|symbol} and UTC day: the settlements. */
    public static final String LEDGER = "ledger-v3";

    /** By asset and {@code venue|symbol}: the contracts of an asset. */
    public static final String CONTRACTS = "asset-contracts-v4";

    /** By asset: the digest of its published table. */
    public static final String TABLE_DIGESTS = "table-digests-v3";

    /** By venue and UTC day: how many estimates were off by how much. */
    public static final String ERROR_HISTOGRAMS = "error-histograms-v2";

    /** Every store's name. */
    public static final List<String> ALL = List.of(LEDGER, CONTRACTS, TABLE_DIGESTS, ERROR_HISTOGRAMS);

    private static final Serde<byte[]> BYTES = Serdes.ByteArray();
    private static final Serde<ErrorHistogram> HISTOGRAMS = Serdes.serdeFrom(
            (topic, histogram) -> histogram == null ? null : histogram.bytes(),
            (topic, bytes) -> bytes == null ? null : ErrorHistogram.of(bytes));

    private PairsStores() {}

    /**
     * The builders of all stores. The ledger has a record cache: a contract's history arrives in one piece, and its days would be
     * written once for each settlement.
     */
    public static List<StoreBuilder<?>> builders() {
        return List.of(
                Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(LEDGER), BYTES, DayEncoding.serde())
                        .withCachingEnabled(),
                inMemory(CONTRACTS, StoredJson.serde(PricedContract.CODEC)),
                inMemory(TABLE_DIGESTS, StoredJson.serde(TableDigest.CODEC)),
                inMemory(ERROR_HISTOGRAMS, HISTOGRAMS).withCachingEnabled());
    }

    private static <V> StoreBuilder<KeyValueStore<byte[], V>> inMemory(String name, Serde<V> values) {
        return Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), BYTES, values);
    }
}
