package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.core.StreamsMetrics;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The stores of one task that the processors of the ledger share.
 *
 * @param departures the asset that a contract moved to, by {@link StoredContracts#key}
 */
record AssetStores(StoredContracts contracts, KeyValueStore<byte[], String> departures, AssetLedger ledger) {
    /** What the ledger reports goes out through the context. */
    static AssetStores of(StreamsMetrics metrics, ProcessorContext<byte[], byte[]> context) {
        return new AssetStores(
                new StoredContracts(context.getStateStore(PairsStores.CONTRACTS)),
                context.getStateStore(PairsStores.DEPARTURES),
                new AssetLedger(metrics, context, context.getStateStore(PairsStores.LEDGER)));
    }
}
