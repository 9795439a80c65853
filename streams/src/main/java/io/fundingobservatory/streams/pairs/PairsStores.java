package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.formats.Format;
import java.util.List;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The stores of {@code pairs}, all with changelogs. The ledger, millions of settlements, is on disk; the others
 * are small and in memory. Changelogs are compacted only: no store deletes by the time of a record.
 *
 * <p>A name carries the version of its format. A new format is a new name: its store begins empty, and the
 * ledger is rebuilt at the next start.
 */
public final class PairsStores {
    /** By asset, {@code venue|symbol} and UTC day: the settlements. */
    public static final String LEDGER = "ledger-v2";

    /** By asset and {@code venue|symbol}: the contracts of an asset. */
    public static final String CONTRACTS = "asset-contracts-v2";

    /** By asset and {@code venue|symbol}: the asset that a contract moved to. */
    public static final String DEPARTURES = "departures-v1";

    /** By asset: the digest of its published table. */
    public static final String TABLE_DIGESTS = "table-digests-v2";

    /** By venue and UTC day: how many estimates were off by how much. */
    public static final String ERROR_HISTOGRAMS = "error-histograms-v1";

    /** Every store's name. */
    static final List<String> ALL = List.of(LEDGER, CONTRACTS, DEPARTURES, TABLE_DIGESTS, ERROR_HISTOGRAMS);

    public static final Format<PricedContract> PRICED_CONTRACT = Format.of("priced-contract", 2, PricedContract.class);

    private static final Serde<byte[]> BYTES = Serdes.ByteArray();

    private PairsStores() {}

    /**
     * The builders of all stores. The ledger has a record cache: a contract's history arrives in one piece, and its days would be
     * written once for each settlement.
     */
    public static List<StoreBuilder<?>> builders() {
        return List.of(
                Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(LEDGER), BYTES, Format.SETTLEMENT_DAY.serde())
                        .withCachingEnabled(),
                inMemory(CONTRACTS, PRICED_CONTRACT.serde()),
                inMemory(DEPARTURES, Serdes.String()),
                inMemory(TABLE_DIGESTS, TableDigest.FORMAT.serde()),
                inMemory(ERROR_HISTOGRAMS, Format.ERROR_HISTOGRAM.serde()).withCachingEnabled());
    }

    /** The partition of a key, as Kafka's producers choose it. */
    static int partition(String key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key.getBytes(UTF_8))) % partitions;
    }

    private static <V> StoreBuilder<KeyValueStore<byte[], V>> inMemory(String name, Serde<V> values) {
        return Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), BYTES, values);
    }
}
