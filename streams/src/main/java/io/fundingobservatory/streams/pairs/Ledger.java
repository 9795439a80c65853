package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.normalisation.Decimals;
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

    private final StreamsMetrics metrics;
    private final ProcessorContext<byte[], byte[]> context;
    private final SettlementStore store;
    private final List<Runnable> outputs = new ArrayList<>();
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
        store.discard();
        outputs.clear();
    }

    void write() {
        store.write();
        outputs.forEach(Runnable::run);
        outputs.clear();
    }

    /** Takes over entries of a contract that comes from another asset; returns whether that changed anything. */
    boolean take(String asset, ContractKey key, long listingEpoch, long sinceMs, Map<Long, SettlementDay.Entry> moved) {
        boolean changes = false;
        for (Map.Entry<Long, SettlementDay.Entry> known : moved.entrySet()) {
            long settledMs = known.getKey();
            if (settledMs > sinceMs) {
                SettlementDay.Entry entry = known.getValue().ofListing(listingEpoch);
                changes |= enter(asset, key, settledMs, entry, entry.estimateError8h());
            }
        }
        return changes;
    }

    /** The contract has another listing of the same asset: settlements after an instant belong to it. */
    void relist(String asset, ContractKey key, long listingEpoch, long sinceMs) {
        store.daysFrom(StoredContracts.key(asset, key), sinceMs).forEach((dayMs, day) -> {
            var former = new TreeMap<>(day.entries());
            former.values().removeIf(entry -> entry.listingEpoch() >= listingEpoch);
            take(asset, key, listingEpoch, sinceMs, former);
        });
    }

    /**
     * The contract has another asset: its days leave for it.
     *
     * @param sinceMs settlements up to this instant stay behind, epoch ms
     */
    void move(@Nullable String asset, ContractKey key, long listingEpoch, long sinceMs, String to) {
        byte[] from = StoredContracts.key(home(asset, key), key);
        Map<Long, SettlementDay> days = store.daysFrom(from, Math.max(0, sinceMs));
        days.forEach((dayMs, day) -> {
            var moved = new MovedDay(key, listingEpoch, sinceMs, day);
            forward(to.getBytes(UTF_8), moved.bytes(), PairsTopology.MOVED_DAYS);
        });
        store.delete(from, days.keySet());
    }

    void outdate(String asset) {
        forward(asset.getBytes(UTF_8), new byte[0], PairsTopology.OUTDATED);
    }

    /**
     * Enters what is known about an instant.
     *
     * @param asset null while it is not known
     * @param countedError the error of its estimate that is counted already; null when none is
     * @return whether that changed anything
     */
    boolean enter(
            @Nullable String asset,
            ContractKey key,
            long settledMs,
            SettlementDay.Entry entry,
            @Nullable BigDecimal countedError) {
        byte[] at = StoredContracts.key(home(asset, key), key);
        SettlementDay day = store.day(at, settledMs);
        SettlementDay.Entry before = day.at(settledMs);
        if (!day.enter(settledMs, entry)) {
            return false;
        }
        store.change(at, day);
        SettlementDay.Entry after = day.at(settledMs);
        if (after != null) {
            BigDecimal errorBefore =
                    before == null || before.estimateError8h() == null ? countedError : before.estimateError8h();
            measure(key, settledMs, after.estimateError8h(), errorBefore);
            if (asset != null) {
                publish(asset, key, before, after);
            }
        }
        return true;
    }

    private static String home(@Nullable String asset, ContractKey key) {
        return asset == null ? key.toString() : asset;
    }

    private void measure(ContractKey key, long settledMs, @Nullable BigDecimal error, @Nullable BigDecimal before) {
        if (error != null && !Decimals.same(error, before)) {
            var event = new EstimateError(key, settledMs, error, before);
            forward(event.venueKey(), EstimateError.CODEC.encode(event), PairsTopology.ESTIMATE_ERRORS);
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
        outputs.add(() -> context.forward(record, PairsTopology.SETTLEMENTS));
    }

    private void forward(byte[] key, byte[] value, String child) {
        var record = new Record<>(key, value, stampMs);
        outputs.add(() -> context.forward(record, child));
    }
}
