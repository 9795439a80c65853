package io.fundingobservatory.streams.window;

import io.fundingobservatory.streams.carry.AssetContracts;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.PairEvent;
import io.fundingobservatory.streams.formats.PairEventFormat;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.streams.ledger.PaymentStore;
import io.fundingobservatory.streams.ledger.Stores;
import io.fundingobservatory.streams.ledger.StreamsMetrics;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.streams.payments.PaymentDay;
import io.fundingobservatory.streams.payments.Window;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.time.Duration;
import java.util.function.Predicate;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Keeps the payments of each asset's contracts and computes its pair table again when one of them changes or
 * the window moves on. A table that equals the one before is not published again.
 *
 * <p>Payments stay in the store, one value for a day of a contract. 3 million of them would not fit into
 * memory, and reading 31 values is quick. Only the contracts' own data are in memory.
 */
public final class PairTableProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    /** An asset's changes of so long make one table. */
    static final Duration GATHERING = Duration.ofSeconds(10);

    /** Days of payments that are looked at with each table: all of a store within about a day. */
    private static final int SWEPT_AT_ONCE = 64;

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final RecomputeSchedule schedule;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private ListedContracts contracts;

    @SuppressWarnings("NullAway.Init")
    private PaymentStore payments;

    @SuppressWarnings("NullAway.Init")
    private PairTablePublisher tables;

    public PairTableProcessor(StreamsMetrics metrics, BrokerClock clock, WorkBudget budget) {
        this.metrics = metrics;
        this.clock = clock;
        this.schedule = new RecomputeSchedule(clock, budget, GATHERING);
    }

    /** Also of a revived task, with what an aborted transaction left in memory: all of it comes from the stores again. */
    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        contracts = new ListedContracts(context.getStateStore(Stores.ASSET_CONTRACTS));
        payments = new PaymentStore(context.getStateStore(Stores.ASSET_PAYMENTS));
        tables = new PairTablePublisher(metrics, clock, context, payments);
        schedule.clear();
        tables.eachPublished((asset, windowEndMs) -> {
            schedule.made(windowEndMs);
            contracts.of(asset);
        });
        schedule.start(context, contracts::assets, tables::isOutdated, this::tabulate);
    }

    @Override
    public void close() {
        schedule.stop();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Routed<PairEvent> routed = PairEventFormat.EVENTS.read(record.value());
        if (routed == null) {
            metrics.refused("pair-table", "unknown_format");
            return;
        }
        if (routed.input() != Routed.UNTIMED) {
            clock.arrived(routed.input(), record.timestamp());
        }
        payments.discard();
        boolean changes = switch (routed.event()) {
            // The stamp may be of a partition leader whose clock is days ahead.
            case PairEvent.ContractListed listed -> contracts.list(listed, Math.min(listed.atMs(), clock.nowMs()));
            case PairEvent.ContractRemoved(ContractKey key, String asset) -> contracts.remove(asset, key);
            case PairEvent.SettlementRecorded(Settlement s) ->
                enter(
                        s.asset(),
                        s.key(),
                        s.listingEpoch(),
                        s.settledMs(),
                        day -> day.add(s.listingEpoch(), Payment.of(s), s.settledMs()));
            case PairEvent.SettlementExpected(ContractKey key, long epoch, String asset, long settledMs) ->
                enter(asset, key, epoch, settledMs, day -> day.expect(epoch, settledMs, null));
        };
        payments.write();
        if (changes) {
            tables.outdate(routed.event().asset());
            schedule.changed(routed.event().asset());
        }
    }

    private boolean enter(String asset, ContractKey key, long epoch, long settledMs, Predicate<PaymentDay> entry) {
        if (!contracts.isListed(asset, key, epoch)) {
            return false;
        }
        byte[] storeKey = ListedContracts.storeKey(asset, key);
        PaymentDay day = payments.day(storeKey, settledMs);
        if (!entry.test(day)) {
            return false;
        }
        payments.change(storeKey, settledMs, day);
        return schedule.concerns(settledMs);
    }

    private void tabulate(String asset, Window window) {
        payments.sweep(SWEPT_AT_ONCE);
        AssetContracts listed = contracts.of(asset);
        listed.noneAfter(clock.nowMs());
        for (ContractKey inactive : tables.publish(listed, window)) {
            contracts.remove(asset, inactive);
        }
        if (listed.isEmpty()) {
            contracts.forget(asset);
            tables.withdraw(asset);
        }
    }
}
