package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.pairs.QualityProcessor.EstimateError;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Decides which settlements of an asset's contracts are news: one for each instant, the best known. The changes
 * of one record are gathered. {@link #write} stores them and forwards what is new.
 *
 * <p>Settlements of a contract whose asset is not known yet are stored under the contract's own key, and are not
 * published.
 */
final class Ledger {
    private static final Headers SETTLEMENT_SCHEMA = new RecordHeaders().add(Topics.SETTLEMENTS.schemaHeader());
    private static final Headers EVENT_SCHEMA = new RecordHeaders().add(Topics.CONTRACT_EVENTS.schemaHeader());

    private final StreamsMetrics metrics;
    private final ProcessorContext<byte[], byte[]> context;
    private final SettlementStore store;
    private final List<Runnable> changes = new ArrayList<>();
    private long stampMs;

    /** The one of a task; what is new goes out through the context. */
    Ledger(StreamsMetrics metrics, ProcessorContext<byte[], byte[]> context) {
        this.metrics = metrics;
        this.context = context;
        this.store = new SettlementStore(context.getStateStore(PairsStores.LEDGER));
    }

    /**
     * Begins with a record. What an earlier one changed and did not write is discarded.
     *
     * @param stampMs the stamp of outputs, epoch ms
     */
    void begin(long stampMs) {
        this.stampMs = stampMs;
        changes.clear();
    }

    void write() {
        changes.forEach(Runnable::run);
        changes.clear();
    }

    /** The contract has another listing of the same asset: settlements after an instant, epoch ms, belong to it. */
    void relist(String asset, ContractKey key, long listingEpoch, long sinceMs) {
        byte[] at = StoredContracts.key(asset, key);
        for (SettlementDay day : store.days(at, sinceMs, Long.MAX_VALUE)) {
            var relisted = new TreeMap<Long, SettlementDay.Entry>();
            day.entries()
                    .tailMap(sinceMs, false)
                    .forEach((settledMs, entry) -> relisted.put(settledMs, entry.ofListing(listingEpoch)));
            enter(asset, key, at, day, relisted);
        }
    }

    /**
     * The contract has another asset: its settlements leave for it, as events. How far estimates were from them is counted already
     * and stays behind.
     *
     * @param sinceMs settlements up to this instant are deleted, epoch ms
     */
    void move(@Nullable String asset, ContractKey key, long listingEpoch, long sinceMs, String to) {
        byte[] from = StoredContracts.key(home(asset, key), key);
        for (SettlementDay day : store.days(from, sinceMs, Long.MAX_VALUE)) {
            changes.add(() -> store.delete(from, day));
            day.entries().tailMap(sinceMs, false).forEach((settledMs, entry) -> {
                for (ContractEvent event : entry.events(key, to, listingEpoch, settledMs)) {
                    var record =
                            new Record<>(to.getBytes(UTF_8), ContractEvent.CODEC.encode(event), stampMs, EVENT_SCHEMA);
                    changes.add(() -> context.forward(record, PairsTopology.MOVED_SETTLEMENTS));
                }
            });
        }
    }

    /** Stamped with when the change was observed, epoch ms. */
    void outdate(String asset, long observedAtMs) {
        var record = new Record<>(asset.getBytes(UTF_8), new byte[0], Math.max(0, observedAtMs));
        changes.add(() -> context.forward(record, PairsTopology.PAIR_TABLES));
    }

    /**
     * Enters what is known about an instant.
     *
     * @param asset null while it is not known
     * @return whether that changed anything
     */
    boolean enter(@Nullable String asset, ContractKey key, long settledMs, SettlementDay.Entry entry) {
        byte[] at = StoredContracts.key(home(asset, key), key);
        return enter(asset, key, at, store.day(at, settledMs), Map.of(settledMs, entry));
    }

    /** Enters what is known about instants of one day, which is stored under a key. */
    private boolean enter(
            @Nullable String asset,
            ContractKey key,
            byte[] at,
            SettlementDay day,
            Map<Long, SettlementDay.Entry> entries) {
        boolean changed = false;
        for (Map.Entry<Long, SettlementDay.Entry> instant : entries.entrySet()) {
            long settledMs = instant.getKey();
            SettlementDay.Entry before = day.at(settledMs);
            SettlementDay.Entry after = day.merge(settledMs, instant.getValue());
            if (after.equals(before)) {
                continue;
            }
            changed = true;
            measure(key, settledMs, after.estimateError8h(), before == null ? null : before.estimateError8h());
            if (asset != null) {
                publish(asset, key, before, after);
            }
        }
        if (changed) {
            changes.add(() -> store.put(at, day));
        }
        return changed;
    }

    private static String home(@Nullable String asset, ContractKey key) {
        return asset == null ? key.toString() : asset;
    }

    private void measure(ContractKey key, long settledMs, @Nullable BigDecimal error, @Nullable BigDecimal before) {
        if (error != null && !Decimals.same(error, before)) {
            var event = new EstimateError(key, settledMs, error, before);
            var record = new Record<>(key.venue().getBytes(UTF_8), EstimateError.CODEC.encode(event), stampMs);
            changes.add(() -> context.forward(record, PairsTopology.ESTIMATE_ERRORS));
        }
    }

    /** News is what was not known of this listing, or worse. The same settlement found again is none. */
    private void publish(
            String asset, ContractKey key, SettlementDay.@Nullable Entry before, SettlementDay.Entry after) {
        KnownSettlement known =
                before == null || before.listingEpoch() != after.listingEpoch() ? null : before.withInterval();
        KnownSettlement now = after.withInterval();
        if (now == null || (known != null && now.saysTheSame(known))) {
            return;
        }
        metrics.settled(now.basis());
        var settlement = new Settlement(
                key.venue(),
                key.symbol(),
                after.listingEpoch(),
                asset,
                now.settledMs(),
                after.rawMs(),
                now.rate(),
                now.basis(),
                now.intervalH(),
                now.observedAtMs());
        var record = new Record<>(
                key.toString().getBytes(UTF_8), Settlement.CODEC.encode(settlement), stampMs, SETTLEMENT_SCHEMA);
        changes.add(() -> context.forward(record, PairsTopology.SETTLEMENTS));
    }
}
