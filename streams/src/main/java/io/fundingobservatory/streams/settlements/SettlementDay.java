package io.fundingobservatory.streams.settlements;

import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
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
            @Nullable LedgerSettlement settlement,
            long rawMs,
            @Nullable BigDecimal estimate,
            @Nullable BigDecimal announcedH) {
        /** The settlement with the interval that it closed: as published with it, else as announced. */
        public @Nullable LedgerSettlement withInterval() {
            return settlement == null ? null : settlement.closing(announcedH);
        }

        /**
         * |settled − estimate| as a fraction of notional per 8 hours, by the interval that the settlement closed. Null unless both values and the interval are known.
         */
        public @Nullable BigDecimal estimateError8h() {
            LedgerSettlement closed = withInterval();
            if (closed == null || closed.basis() == Basis.ESTIMATE || closed.intervalH() == null || estimate == null) {
                return null;
            }
            return RateConversion.per8h(closed.rate().subtract(estimate).abs(), closed.intervalH());
        }
    }

    /** A day without entries. */
    public SettlementDay(long dayMs) {
        this(dayMs, new TreeMap<>());
    }

    /** The beginning of the UTC day that an instant belongs to, epoch ms. */
    public static long of(long epochMs) {
        return Math.floorDiv(epochMs, Window.DAY_MS) * Window.DAY_MS;
    }

    /**
     * Adds a settlement, or replaces what is known about its instant when that is less or of an earlier listing.
     *
     * @return whether that changed anything
     */
    public boolean add(long listingEpoch, LedgerSettlement settlement, long rawMs) {
        Entry known = entries.get(settlement.settledMs());
        if (known != null
                && (known.listingEpoch > listingEpoch
                        || (known.listingEpoch == listingEpoch
                                && known.settlement != null
                                && !settlement.replaces(known.settlement)))) {
            return false;
        }
        Entry before = known != null && known.listingEpoch == listingEpoch ? known : null;
        entries.put(
                settlement.settledMs(),
                new Entry(
                        listingEpoch,
                        settlement,
                        rawMs,
                        before == null ? null : before.estimate,
                        before == null ? null : before.announcedH));
        return true;
    }

    /**
     * Stores the estimate from our own last observation before an instant, and the interval that it closed. It is
     * stored in addition to the settlement that is known for the instant.
     *
     * @return whether that changed anything
     */
    public boolean estimate(LedgerSettlement estimate) {
        Entry known = entries.get(estimate.settledMs());
        if (known == null
                || known.settlement == null
                || (Decimals.same(known.estimate, estimate.rate())
                        && Decimals.same(known.announcedH, estimate.intervalH()))) {
            return false;
        }
        entries.put(
                estimate.settledMs(),
                new Entry(known.listingEpoch, known.settlement, known.rawMs, estimate.rate(), estimate.intervalH()));
        return true;
    }

    /**
     * Notes that a settlement took place at an instant, in addition to the known ones.
     *
     * @param intervalH the hours that it closed; null when unknown
     * @return whether that changed anything
     */
    public boolean expect(long listingEpoch, long settledMs, @Nullable BigDecimal intervalH) {
        Entry known = entries.get(settledMs);
        if (known == null || known.listingEpoch < listingEpoch) {
            entries.put(settledMs, new Entry(listingEpoch, null, settledMs, null, Decimals.plainOrNull(intervalH)));
            return true;
        }
        if (known.listingEpoch > listingEpoch || intervalH == null || Decimals.same(known.announcedH, intervalH)) {
            return false;
        }
        entries.put(
                settledMs,
                new Entry(
                        listingEpoch, known.settlement, known.rawMs, known.estimate, Decimals.plainOrNull(intervalH)));
        return true;
    }

    /**
     * Takes over what is known about an instant elsewhere, of the same contract.
     *
     * @param listingEpoch the listing that it belongs to from now on
     * @return whether that changed anything
     */
    public boolean merge(long listingEpoch, long settledMs, Entry other) {
        boolean changed = other.settlement == null
                ? expect(listingEpoch, settledMs, other.announcedH)
                : add(listingEpoch, other.settlement, other.rawMs);
        Entry now = entries.get(settledMs);
        if (now == null || now.listingEpoch != listingEpoch || other.settlement == null) {
            return changed;
        }
        Entry whole = new Entry(
                listingEpoch,
                now.settlement,
                now.rawMs,
                now.estimate == null ? other.estimate : now.estimate,
                now.announcedH == null ? other.announcedH : now.announcedH);
        entries.put(settledMs, whole);
        return changed || !whole.equals(now);
    }

    /** What is known about an instant; null when nothing is. */
    public @Nullable Entry at(long settledMs) {
        return entries.get(settledMs);
    }
}
