package io.fundingobservatory.streams.ledger;

import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.formats.DayFormat;
import io.fundingobservatory.streams.formats.ErrorHistogramFormat;
import io.fundingobservatory.streams.formats.PairEventFormat;
import io.fundingobservatory.streams.formats.TableDigest;
import io.fundingobservatory.streams.formats.VenueQualityFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The stores, all with changelogs. What is small is in memory; payments, millions of them, are on disk. Changelogs are
 * compacted only: no store forgets by the time of a record.
 *
 * <p>A name carries the version of its format. A new format is a new name: its store begins empty, and at the next start the ledger is
 * read again from the topics.
 */
public final class Stores {
    /** By {@code venue|symbol}: identity, epoch, newest reading, whether its row is shown. */
    public static final String CONTRACTS = "contracts-v2";

    /** By {@code venue|symbol} and UTC day: the payments. */
    public static final String PAYMENTS = "payments-v2";

    /** By asset and {@code venue|symbol}: the contracts of an asset. */
    public static final String ASSET_CONTRACTS = "asset-contracts-v2";

    /** By asset, {@code venue|symbol} and UTC day: the payments, once more, where the pairs are made. */
    public static final String ASSET_PAYMENTS = "asset-payments-v2";

    /** By asset: what its published table is known again by. */
    public static final String TABLE_DIGESTS = "table-digests-v2";

    /** By venue and UTC day: how many estimates were off by how much. */
    public static final String ERROR_HISTOGRAMS = "error-histograms-v1";

    /** By exchange: its published quality. */
    public static final String QUALITIES = "qualities-v1";

    /** Every store's name. */
    public static final List<String> ALL =
            List.of(CONTRACTS, PAYMENTS, ASSET_CONTRACTS, ASSET_PAYMENTS, TABLE_DIGESTS, ERROR_HISTOGRAMS, QUALITIES);

    private static final Serde<byte[]> BYTES = Serdes.ByteArray();

    private Stores() {}

    public static StoreBuilder<?> contracts() {
        // Written for each quote, and read whole before the first: its closed segments are compacted at once.
        return inMemory(CONTRACTS, ContractState.FORMAT.serde())
                .withLoggingEnabled(Map.of(
                        TopicConfig.SEGMENT_MS_CONFIG,
                        Long.toString(Duration.ofMinutes(3).toMillis())));
    }

    public static StoreBuilder<?> payments() {
        return onDisk(PAYMENTS);
    }

    public static StoreBuilder<?> assetContracts() {
        return inMemory(ASSET_CONTRACTS, PairEventFormat.PRICED.serde());
    }

    public static StoreBuilder<?> assetPayments() {
        return onDisk(ASSET_PAYMENTS);
    }

    public static StoreBuilder<?> tableDigests() {
        return inMemory(TABLE_DIGESTS, TableDigest.FORMAT.serde());
    }

    public static StoreBuilder<?> errorHistograms() {
        return inMemory(ERROR_HISTOGRAMS, ErrorHistogramFormat.FORMAT.serde()).withCachingEnabled();
    }

    public static StoreBuilder<?> qualities() {
        return inMemory(QUALITIES, VenueQualityFormat.FORMAT.serde());
    }

    private static <V> StoreBuilder<KeyValueStore<byte[], V>> inMemory(String name, Serde<V> values) {
        return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore(name), BYTES, values);
    }

    /** With a record cache: a contract's history comes in one after the other, and its days would be written once for each payment. */
    private static StoreBuilder<?> onDisk(String name) {
        return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                        org.apache.kafka.streams.state.Stores.persistentKeyValueStore(name),
                        BYTES,
                        DayFormat.payments())
                .withCachingEnabled();
    }
}
