package io.fundingobservatory.streams.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.core.Plausibility;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.formats.ContractState.Restored;
import io.fundingobservatory.streams.formats.RecordProcessor;
import io.fundingobservatory.streams.settlements.LedgerSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The newest listing of each contract that has published settlements. Records of other writers are counted and skipped. */
final class PublishedListings {
    private static final String STAGE = "ledger-restore";
    private static final String IMPLAUSIBLE = "implausible";

    private final StreamsMetrics metrics;
    private final Map<ContractKey, Restored> byContract = new HashMap<>();

    PublishedListings(StreamsMetrics metrics) {
        this.metrics = metrics;
    }

    Map<ContractKey, Restored> byContract() {
        return byContract;
    }

    void read(ConsumerRecord<byte[], byte @Nullable []> record) {
        Settlement settlement = decoded(record);
        if (settlement == null) {
            metrics.rejected(STAGE, RecordProcessor.UNREADABLE);
        } else if (!couldBeOurs(settlement)) {
            metrics.rejected(STAGE, IMPLAUSIBLE);
        } else {
            byContract.merge(settlement.key(), after(null, settlement), (before, one) -> after(before, settlement));
        }
    }

    /** The settlement of a record; null unless it belongs to the contract's newest listing. */
    static @Nullable Settlement ofNewest(
            ConsumerRecord<byte[], byte @Nullable []> record, Map<ContractKey, Restored> listings) {
        Settlement settlement = decoded(record);
        if (settlement == null || !couldBeOurs(settlement)) {
            return null;
        }
        Restored listing = listings.get(settlement.key());
        return listing != null
                        && settlement.listingEpoch() == listing.listingEpoch()
                        && settlement.settledMs() > listing.sinceMs()
                ? settlement
                : null;
    }

    /** Null unless it is a settlement under its own key. */
    private static @Nullable Settlement decoded(ConsumerRecord<byte[], byte @Nullable []> record) {
        byte[] key = record.key();
        byte[] value = record.value();
        if (key == null || value == null) {
            return null;
        }
        try {
            Settlement settlement = Settlement.CODEC.decode(value);
            return settlement.key().toString().equals(new String(key, UTF_8)) ? settlement : null;
        } catch (MalformedRecord e) {
            return null;
        }
    }

    private static boolean couldBeOurs(Settlement settlement) {
        return Plausibility.flaw(settlement) == null
                // A settlement of another year would make every other one of the ledger old.
                && settlement.settledMs() <= settlement.observedAtMs() + Window.DAY_MS
                && settlement.settledMs() == LedgerSettlement.onTheMinute(settlement.settledRawMs())
                && settlement.listingEpoch() >= 0
                && settlement.listingEpoch() < Integer.MAX_VALUE;
    }

    private static Restored after(@Nullable Restored before, Settlement s) {
        if (before == null) {
            return new Restored(s.listingEpoch(), s.asset(), Long.MIN_VALUE, s.settledMs());
        }
        if (s.listingEpoch() > before.listingEpoch()) {
            return new Restored(s.listingEpoch(), s.asset(), before.newestMs(), s.settledMs());
        }
        return s.listingEpoch() == before.listingEpoch()
                ? new Restored(
                        before.listingEpoch(), s.asset(), before.sinceMs(), Math.max(before.newestMs(), s.settledMs()))
                : new Restored(
                        before.listingEpoch(),
                        before.asset(),
                        Math.max(before.sinceMs(), s.settledMs()),
                        before.newestMs());
    }
}
