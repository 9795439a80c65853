package io.fundingobservatory.streams.settlements;

import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settlements of one contract on one UTC day, and the instants at which one took place unseen, as a store
 * keeps them. A change writes one small value, and a ledger of 31 days is read as 31 of them.
 */
public final class SettlementDay {
    /** Stored as their places. */
    private static final List<Basis> BASES = List.of(Basis.SETTLED, Basis.ACCRUED, Basis.ESTIMATE);

    private static final int BASIS = 0x0f;
    private static final int UNKNOWN_RATE = 0x0f;
    private static final int ESTIMATED = 0x10;
    private static final int ANNOUNCED_INTERVAL = 0x20;
    private static final int FIXED_BYTES = 32;
    private static final int MINUTE_MS = 60_000;

    private final long dayMs;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();

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

    private SettlementDay(long dayMs) {
        this.dayMs = dayMs;
    }

    /** The beginning of the UTC day that an instant belongs to, epoch ms. */
    public static long of(long epochMs) {
        return Math.floorDiv(epochMs, Window.DAY_MS) * Window.DAY_MS;
    }

    /**
     * Reads a day.
     *
     * @param bytes as written; null for a day without entries
     */
    public static SettlementDay read(long dayMs, byte @Nullable [] bytes) {
        var day = new SettlementDay(dayMs);
        ByteBuffer from = ByteBuffer.wrap(bytes == null ? new byte[0] : bytes);
        while (from.hasRemaining()) {
            long settledMs = dayMs + (long) from.getShort() * MINUTE_MS;
            int flags = from.get();
            long listingEpoch = from.getInt();
            BigDecimal announcedH = (flags & ANNOUNCED_INTERVAL) == 0 ? null : DecimalBytes.read(from);
            if ((flags & BASIS) == UNKNOWN_RATE) {
                day.entries.put(settledMs, new Entry(listingEpoch, null, settledMs, null, announcedH));
                continue;
            }
            long observedAtMs = from.getLong();
            long rawMs = settledMs + from.getInt();
            BigDecimal rate = DecimalBytes.read(from);
            BigDecimal intervalH = DecimalBytes.read(from);
            BigDecimal estimate = (flags & ESTIMATED) == 0 ? null : DecimalBytes.read(from);
            if (rate == null) {
                throw new IllegalStateException("a settlement without a rate was never written");
            }
            var settlement = new LedgerSettlement(settledMs, rate, BASES.get(flags & BASIS), intervalH, observedAtMs);
            day.entries.put(settledMs, new Entry(listingEpoch, settlement, rawMs, estimate, announcedH));
        }
        return day;
    }

    public byte[] write() {
        int most = 0;
        for (Entry entry : entries.values()) {
            LedgerSettlement settlement = entry.settlement;
            most += FIXED_BYTES
                    + DecimalBytes.most(entry.estimate)
                    + DecimalBytes.most(entry.announcedH)
                    + (settlement == null
                            ? 0
                            : DecimalBytes.most(settlement.rate()) + DecimalBytes.most(settlement.intervalH()));
        }
        ByteBuffer to = ByteBuffer.allocate(most);
        entries.forEach((settledMs, entry) -> write(to, settledMs, entry));
        byte[] written = new byte[to.flip().remaining()];
        to.get(written);
        return written;
    }

    private void write(ByteBuffer to, long settledMs, Entry entry) {
        LedgerSettlement settlement = entry.settlement;
        int flags = (settlement == null ? UNKNOWN_RATE : BASES.indexOf(settlement.basis()))
                | (settlement == null || entry.estimate == null ? 0 : ESTIMATED)
                | (entry.announcedH == null ? 0 : ANNOUNCED_INTERVAL);
        to.putShort((short) ((settledMs - dayMs) / MINUTE_MS))
                .put((byte) flags)
                .putInt(Math.toIntExact(entry.listingEpoch));
        if (entry.announcedH != null) {
            DecimalBytes.put(to, entry.announcedH);
        }
        if (settlement != null) {
            to.putLong(settlement.observedAtMs()).putInt(Math.toIntExact(entry.rawMs - settledMs));
            DecimalBytes.put(to, settlement.rate());
            DecimalBytes.put(to, settlement.intervalH());
            if (entry.estimate != null) {
                DecimalBytes.put(to, entry.estimate);
            }
        }
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

    /** By instant, the oldest first. */
    public Map<Long, Entry> entries() {
        return entries;
    }
}
