package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.core.StreamsMetrics;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Enters the settlements of a contract that comes from another asset into the ledger. */
public final class ArrivalProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
    private final StreamsMetrics metrics;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private StoredContracts contracts;

    @SuppressWarnings("NullAway.Init")
    private Ledger ledger;

    public ArrivalProcessor(StreamsMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        super.init(context);
        contracts = new StoredContracts(context.getStateStore(PairsStores.CONTRACTS));
        ledger = new Ledger(metrics, context);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        MovedDay moved = MovedDay.read(record.value());
        if (moved == null) {
            metrics.rejected("moved-day", "unknown_format");
            return;
        }
        String asset = new String(record.key(), UTF_8);
        PricedContract listed = contracts.get(asset, moved.key());
        long listingEpoch = listed == null
                ? moved.listingEpoch()
                : Math.max(moved.listingEpoch(), listed.contract().listingEpoch());
        ledger.begin(record.timestamp());
        if (ledger.take(
                asset, moved.key(), listingEpoch, moved.sinceMs(), moved.day().entries())) {
            ledger.outdate(asset);
        }
        ledger.write();
    }
}
