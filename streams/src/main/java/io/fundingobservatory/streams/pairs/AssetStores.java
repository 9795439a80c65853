package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.core.StreamsMetrics;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/** The stores of one task that the processors of the ledger share. */
record AssetStores(StoredContracts contracts, Ledger ledger) {
    /** What the ledger reports goes out through the context. */
    static AssetStores of(StreamsMetrics metrics, ProcessorContext<byte[], byte[]> context) {
        return new AssetStores(
                new StoredContracts(context.getStateStore(PairsStores.CONTRACTS)),
                new Ledger(metrics, context, context.getStateStore(PairsStores.LEDGER)));
    }
}
