package io.fundingobservatory.streams.ledger;

import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.formats.DayFormat;
import io.fundingobservatory.streams.formats.PairEventFormat;
import io.fundingobservatory.streams.formats.TableDigest;
import io.fundingobservatory.streams.formats.VenueQualityFormat;
import io.fundingobservatory.streams.payments.Ledger;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The stores, all with changelogs. What is small is in memory; payments and errors, millions of them, are on disk.
 *
 * <p>A name carries the version of its format. A new format is a new name: its store begins empty, and at the next start the ledger is
 * read again from the topics.
 */
public final class Stores {
    /** By {@code venue|symbol}: identity, epoch, newest reading, whether its row is shown. */
    public static final String CONTRACTS = "contracts-v2";

    /** By {@code venue|symbol} and UTC day: the payments. */
    public static final String PAYMENTS = "payments-v1";

    /** By asset and {@code venue|symbol}: the contracts of an asset. */
    public static final String ASSET_CONTRACTS = "asset-contracts-v2";

    /** By asset, {@code venue|symbol} and UTC day: the payments, once more, where the pairs are made. */
    public static final String ASSET_PAYMENTS = "asset-payments-v1";

    /** By asset: what its published table is known again by. */
    public static final String TABLE_DIGESTS = "table-digests-v1";

    /** By {@code venue|symbol} and UTC day: |settled − estimate|. */
    public static final String ESTIMATE_ERRORS = "estimate-errors-v2";

    /** By exchange: its published quality. */
    public static final String QUALITIES = "qualities-v1";

    /** Every store's name. */
    public static final List<String> ALL =
            List.of(CONTRACTS, PAYMENTS, ASSET_CONTRACTS, ASSET_PAYMENTS, TABLE_DIGESTS, ESTIMATE_ERRORS, QUALITIES);

    private static final Serde<byte[]> BYTES = Serdes.ByteArray();

    /** A store forgets by whole days and by the newest day that it holds, so it has a little more than is asked of it. */
    private static final Duration KEPT = Duration.ofMillis(Ledger.KEPT_MS).plusDays(2);

    private static final Duration DAY = Duration.ofDays(1);

    private Stores() {}

    public static StoreBuilder<?> contracts() {
        return inMemory(CONTRACTS, ContractState.FORMAT.serde());
    }

    public static StoreBuilder<?> payments() {
        return byDay(PAYMENTS, DayFormat.payments()).withCachingEnabled();
    }

    public static StoreBuilder<?> assetContracts() {
        return inMemory(ASSET_CONTRACTS, PairEventFormat.PRICED.serde());
    }

    public static StoreBuilder<?> assetPayments() {
        return byDay(ASSET_PAYMENTS, DayFormat.payments()).withCachingEnabled();
    }

    public static StoreBuilder<?> tableDigests() {
        return inMemory(TABLE_DIGESTS, TableDigest.FORMAT.serde());
    }

    public static StoreBuilder<?> estimateErrors() {
        return byDay(ESTIMATE_ERRORS, DayFormat.errors());
    }

    public static StoreBuilder<?> qualities() {
        return inMemory(QUALITIES, VenueQualityFormat.FORMAT.serde());
    }

    private static <V> StoreBuilder<?> inMemory(String name, Serde<V> values) {
        return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore(name), BYTES, values);
    }

    /**
     * Whole segments of days fall off the end, nothing is deleted one by one. Payments have a record cache: a contract's history comes in
     * one after the other, and its days would be written once for each payment of theirs.
     */
    private static StoreBuilder<?> byDay(String name, Serde<byte[]> values) {
        return org.apache.kafka.streams.state.Stores.windowStoreBuilder(
                org.apache.kafka.streams.state.Stores.persistentWindowStore(name, KEPT, DAY, false), BYTES, values);
    }
}
