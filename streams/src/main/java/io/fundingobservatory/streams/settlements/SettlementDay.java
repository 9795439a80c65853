package io.fundingobservatory.streams.settlements;

import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settlements of one contract on one UTC day, and the instants at which one took place unseen, as a store
 * keeps them. A change writes one small value, and a ledger of 31 days is read as 31 of them.
 *
 * @param dayMs the beginning of the day, epoch ms
 * @param entries by instant, the oldest first; they change
 */
public record SettlementDay(long dayMs, NavigableMap<Long, Entry> entries) {
    /**
     * What is known about one instant.
     *
     * @param listingEpoch which listing of the symbol it belongs to
     * @param settlement the settled rate; null when that is not known
     * @param rawMs the instant as published, epoch ms UTC
     * @param estimate the rate of our own last observation before the instant; null when there was none in time
     * @param announcedH the hours that the settlement closed by what was announced; null when nothing was
     */
    public record Entry(
            long listingEpoch,
            @Nullable KnownSettlement settlement,
            long rawMs,
            @Nullable BigDecimal estimate,
            @Nullable BigDecimal announcedH) {
        /** What a settlement tells about its instant. One that is an estimate also tells the announced interval. */
        public static Entry of(long listingEpoch, KnownSettlement settlement, long rawMs) {
            boolean estimated = settlement.basis() == Basis.ESTIMATE;
            return new Entry(
                    listingEpoch,
                    settlement,
                    rawMs,
                    estimated ? settlement.rate() : null,
                    estimated ? settlement.intervalH() : null);
        }

        /** A settlement took place, and its rate is not known, nor perhaps the hours that it closed. */
        public static Entry expected(long listingEpoch, long settledMs, @Nullable BigDecimal intervalH) {
            return new Entry(listingEpoch, null, settledMs, null, Decimals.plainOrNull(intervalH));
        }

        public Entry ofListing(long listingEpoch) {
            return new Entry(listingEpoch, settlement, rawMs, estimate, announcedH);
        }

        /**
         * The events that enter it again, under an asset and as one of a listing, what was announced first. Without an estimate that is
         * settled since.
         */
        public List<ContractEvent> events(ContractKey key, String asset, long listingEpoch, long settledMs) {
            var events = new ArrayList<ContractEvent>();
            if (announcedH != null || settlement == null) {
                events.add(ContractEvent.expected(key, asset, listingEpoch, settledMs, announcedH, settledMs));
            }
            if (settlement != null) {
                events.add(ContractEvent.settlement(
                        key,
                        asset,
                        listingEpoch,
                        settledMs,
                        rawMs,
                        settlement.rate(),
                        settlement.basis(),
                        settlement.intervalH(),
                        settlement.observedAtMs()));
            }
            return events;
        }

        /** Both together: of two listings the later one, of two settlements the better one. */
        private Entry and(Entry other) {
            if (listingEpoch != other.listingEpoch) {
                return listingEpoch > other.listingEpoch ? this : other;
            }
            boolean better = other.settlement != null && (settlement == null || other.settlement.replaces(settlement));
            return new Entry(
                    listingEpoch,
                    better ? other.settlement : settlement,
                    better ? other.rawMs : rawMs,
                    other.estimate == null ? estimate : other.estimate,
                    other.announcedH == null ? announcedH : other.announcedH);
        }

        /** The settlement with the interval that it closed: as published with it, else as announced. */
        public @Nullable KnownSettlement withInterval() {
            return settlement == null ? null : settlement.closing(announcedH);
        }

        /**
         * |settled − estimate| as a fraction of notional per 8 hours, by the interval that the settlement closed. Null unless both values and the interval are known.
         */
        public @Nullable BigDecimal estimateError8h() {
            KnownSettlement closed = withInterval();
            if (closed == null || closed.basis() == Basis.ESTIMATE || closed.intervalH() == null || estimate == null) {
                return null;
            }
            return RateConversion.per8h(closed.rate().subtract(estimate).abs(), closed.intervalH());
        }
    }

    public SettlementDay(long dayMs) {
        this(dayMs, new TreeMap<>());
    }

    /** The beginning of the UTC day that an instant belongs to, epoch ms. */
    public static long of(long epochMs) {
        return Math.floorDiv(epochMs, Window.DAY_MS) * Window.DAY_MS;
    }

    /** Adds what is known about an instant to what is stored; returns both together. */
    public Entry merge(long settledMs, Entry entry) {
        return entries.merge(settledMs, entry, Entry::and);
    }

    /** Null when nothing is known. */
    public @Nullable Entry at(long settledMs) {
        return entries.get(settledMs);
    }
}
