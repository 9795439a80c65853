package io.fundingobservatory.streams.pairs;

import static io.fundingobservatory.streams.processing.StoredJson.required;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.processing.RecordProcessor;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.ContractEvent;
import java.util.function.Function;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Turns events of contracts into entries of the ledger, and reports which pair tables they change. Records that
 * are not valid events become dead letters. Everything is computed before the first write, so a record that fails
 * here leaves no partial change.
 */
public final class ContractEventProcessor extends RecordProcessor<ContractEvent> {
    private static final String STAGE = "read-event";
    private static final String INCOMPLETE = "incomplete";

    /** A settlement stamped that long after T can be the one of T. */
    private static final long CLOSE_STAMPS_MS = 20 * 60_000;

    private final Function<TaskId, TaskTime> times;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private TaskTime time;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private StoredContracts contracts;

    @SuppressWarnings("NullAway.Init")
    private Ledger ledger;

    /** {@code times} returns the time of a task. */
    public ContractEventProcessor(StreamsMetrics metrics, Function<TaskId, TaskTime> times) {
        super(metrics, STAGE, ContractEvent.CODEC, ContractEvent::recordKey);
        this.times = times;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        super.init(context);
        contracts = new StoredContracts(context.getStateStore(PairsStores.CONTRACTS));
        ledger = new Ledger(metrics, context);
        time = times.apply(context.taskId());
    }

    @Override
    protected void take(Record<byte[], byte[]> record, ContractEvent event) {
        time.arrived(record.timestamp());
        if (event.listingEpoch() != (int) event.listingEpoch()) {
            // The days of settlements have no room for it.
            reject(record, STAGE, UNREADABLE, "listing_epoch is beyond 32 bits");
            return;
        }
        ledger.begin(record.timestamp());
        try {
            apply(event);
            ledger.write();
        } catch (MalformedRecord e) {
            reject(record, STAGE, INCOMPLETE, e.reason());
        }
    }

    private void apply(ContractEvent event) throws MalformedRecord {
        switch (event.kind()) {
            case LISTED -> list(event, required(event.asset(), "asset"));
            case REMOVED -> remove(event, event.asset());
            case SETTLEMENT -> {
                var settlement = new KnownSettlement(
                        required(event.settledMs(), "settled_ms"),
                        required(event.fundingRate(), "funding_rate"),
                        required(event.basis(), "basis"),
                        event.fundingIntervalH(),
                        event.observedAtMs());
                long rawMs = required(event.settledRawMs(), "settled_raw_ms");
                settle(event, settlement.settledMs(), SettlementDay.Entry.of(event.listingEpoch(), settlement, rawMs));
            }
            case EXPECTED -> {
                required(event.asset(), "asset");
                long settledMs = required(event.settledMs(), "settled_ms");
                settle(
                        event,
                        settledMs,
                        SettlementDay.Entry.expected(event.listingEpoch(), settledMs, event.fundingIntervalH()));
            }
        }
    }

    /** Settlements after the present window change no table: the next window makes all of them again. */
    private void settle(ContractEvent event, long settledMs, SettlementDay.Entry entry) {
        String asset = event.asset();
        boolean changed = ledger.enter(asset, event.key(), settledMs, entry);
        boolean concerns = settledMs <= Window.at(time.nowMs()).endMs() + CLOSE_STAMPS_MS;
        if (asset != null && changed && concerns) {
            ledger.outdate(asset, event.observedAtMs());
        }
    }

    private void list(ContractEvent event, String asset) throws MalformedRecord {
        var contract = new Contract(
                event.key(),
                event.listingEpoch(),
                since(event),
                asset,
                required(event.quote(), "quote"),
                required(event.contractType(), "contract_type"),
                event.fundingIntervalH(),
                event.coinPrice());
        PricedContract known = contracts.get(asset, event.key());
        if (known != null && known.contract().listingEpoch() < event.listingEpoch()) {
            ledger.relist(asset, event.key(), event.listingEpoch(), contract.listedSinceMs());
        }
        if (contracts.list(contract, Math.min(event.observedAtMs(), time.nowMs()))) {
            ledger.outdate(asset, event.observedAtMs());
        }
    }

    private void remove(ContractEvent event, @Nullable String asset) {
        String to = event.movedTo();
        if (to != null) {
            ledger.move(asset, event.key(), event.listingEpoch(), since(event), to);
        }
        if (asset != null && contracts.remove(asset, event.key())) {
            ledger.outdate(asset, event.observedAtMs());
        }
    }

    private static long since(ContractEvent event) {
        Long since = event.listedSinceMs();
        return since == null ? Long.MIN_VALUE : since;
    }
}
