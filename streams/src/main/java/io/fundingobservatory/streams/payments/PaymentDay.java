package io.fundingobservatory.streams.payments;

import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The payments of one contract on one UTC day, and the instants at which one came due unseen, as a store
 * keeps them. A change writes one small value, and a ledger of 31 days is read as 31 of them.
 */
public final class PaymentDay {
    private static final int BASIS = 0x0f;
    private static final int UNPAID = 0x0f;
    private static final int ESTIMATED = 0x10;
    private static final int ANNOUNCED_INTERVAL = 0x20;
    private static final int FIXED_BYTES = 32;
    private static final int MINUTE_MS = 60_000;

    private final long dayMs;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();

    /**
     * What is known about one instant.
     *
     * @param epoch which listing of the symbol it belongs to
     * @param payment what was charged; null when that is not known
     * @param rawMs the instant as published, epoch ms UTC
     * @param estimate what our own last reading before the instant said was charged; null when there was none in time
     * @param announcedH the hours that the charge closed by what was announced; null when nothing was
     */
    public record Entry(
            long epoch,
            @Nullable Payment payment,
            long rawMs,
            @Nullable BigDecimal estimate,
            @Nullable BigDecimal announcedH) {
        /** The payment with the interval that it closed: as published with it, else as announced. */
        public @Nullable Payment settlement() {
            return payment == null ? null : payment.closing(announcedH);
        }

        /**
         * |settled − estimate| as a fraction of notional per 8 hours, by the interval that the settlement closed. Null unless both figures and the interval are known.
         */
        public @Nullable BigDecimal estimateError8h() {
            Payment paid = settlement();
            if (paid == null || paid.basis() == Basis.ESTIMATE || paid.intervalH() == null || estimate == null) {
                return null;
            }
            return RateConversion.per8h(paid.rate().subtract(estimate).abs(), paid.intervalH());
        }
    }

    private PaymentDay(long dayMs) {
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
    public static PaymentDay read(long dayMs, byte @Nullable [] bytes) {
        var day = new PaymentDay(dayMs);
        ByteBuffer from = ByteBuffer.wrap(bytes == null ? new byte[0] : bytes);
        while (from.hasRemaining()) {
            long settledMs = dayMs + (long) from.getShort() * MINUTE_MS;
            int flags = from.get();
            long epoch = from.getInt();
            BigDecimal announcedH = (flags & ANNOUNCED_INTERVAL) == 0 ? null : DecimalBytes.read(from);
            if ((flags & BASIS) == UNPAID) {
                day.entries.put(settledMs, new Entry(epoch, null, settledMs, null, announcedH));
                continue;
            }
            long observedAtMs = from.getLong();
            long rawMs = settledMs + from.getInt();
            BigDecimal rate = DecimalBytes.read(from);
            BigDecimal intervalH = DecimalBytes.read(from);
            BigDecimal estimate = (flags & ESTIMATED) == 0 ? null : DecimalBytes.read(from);
            if (rate == null) {
                throw new IllegalStateException("a payment without a rate was never written");
            }
            var payment = new Payment(settledMs, rate, basis(flags & BASIS), intervalH, observedAtMs);
            day.entries.put(settledMs, new Entry(epoch, payment, rawMs, estimate, announcedH));
        }
        return day;
    }

    public byte[] write() {
        int most = 0;
        for (Entry entry : entries.values()) {
            Payment payment = entry.payment;
            most += FIXED_BYTES
                    + DecimalBytes.most(entry.estimate)
                    + DecimalBytes.most(entry.announcedH)
                    + (payment == null
                            ? 0
                            : DecimalBytes.most(payment.rate()) + DecimalBytes.most(payment.intervalH()));
        }
        ByteBuffer to = ByteBuffer.allocate(most);
        entries.forEach((settledMs, entry) -> write(to, settledMs, entry));
        byte[] written = new byte[to.flip().remaining()];
        to.get(written);
        return written;
    }

    private void write(ByteBuffer to, long settledMs, Entry entry) {
        Payment payment = entry.payment;
        int flags = (payment == null ? UNPAID : code(payment.basis()))
                | (payment == null || entry.estimate == null ? 0 : ESTIMATED)
                | (entry.announcedH == null ? 0 : ANNOUNCED_INTERVAL);
        to.putShort((short) ((settledMs - dayMs) / MINUTE_MS)).put((byte) flags).putInt(Math.toIntExact(entry.epoch));
        if (entry.announcedH != null) {
            DecimalBytes.put(to, entry.announcedH);
        }
        if (payment != null) {
            to.putLong(payment.observedAtMs()).putInt(Math.toIntExact(entry.rawMs - settledMs));
            DecimalBytes.put(to, payment.rate());
            DecimalBytes.put(to, payment.intervalH());
            if (entry.estimate != null) {
                DecimalBytes.put(to, entry.estimate);
            }
        }
    }

    /**
     * Adds a payment, or replaces what is known about its instant when that is less or of an earlier listing.
     *
     * @return whether that changed anything
     */
    public boolean add(long epoch, Payment payment, long rawMs) {
        Entry known = entries.get(payment.settledMs());
        if (known != null
                && (known.epoch > epoch
                        || (known.epoch == epoch && known.payment != null && !payment.replaces(known.payment)))) {
            return false;
        }
        Entry before = known != null && known.epoch == epoch ? known : null;
        entries.put(
                payment.settledMs(),
                new Entry(
                        epoch,
                        payment,
                        rawMs,
                        before == null ? null : before.estimate,
                        before == null ? null : before.announcedH));
        return true;
    }

    /**
     * Stores the estimate from our own last reading before an instant, and the interval that it closed. It is
     * stored in addition to the payment that is known for the instant.
     *
     * @return whether that changed anything
     */
    public boolean estimate(Payment estimate) {
        Entry known = entries.get(estimate.settledMs());
        if (known == null
                || known.payment == null
                || (Decimals.same(known.estimate, estimate.rate())
                        && Decimals.same(known.announcedH, estimate.intervalH()))) {
            return false;
        }
        entries.put(
                estimate.settledMs(),
                new Entry(known.epoch, known.payment, known.rawMs, estimate.rate(), estimate.intervalH()));
        return true;
    }

    /**
     * Notes that a payment came due at an instant, in addition to what is known to have been paid.
     *
     * @param intervalH the hours that it closed; null when unknown
     * @return whether that changed anything
     */
    public boolean expect(long epoch, long settledMs, @Nullable BigDecimal intervalH) {
        Entry known = entries.get(settledMs);
        if (known == null || known.epoch < epoch) {
            entries.put(settledMs, new Entry(epoch, null, settledMs, null, plain(intervalH)));
            return true;
        }
        if (known.epoch > epoch || intervalH == null || Decimals.same(known.announcedH, intervalH)) {
            return false;
        }
        entries.put(settledMs, new Entry(epoch, known.payment, known.rawMs, known.estimate, plain(intervalH)));
        return true;
    }

    /**
     * Takes over what is known about an instant elsewhere, of the same contract.
     *
     * @param epoch the listing that it belongs to from now on
     * @return whether that changed anything
     */
    public boolean merge(long epoch, long settledMs, Entry other) {
        boolean changed = other.payment == null
                ? expect(epoch, settledMs, other.announcedH)
                : add(epoch, other.payment, other.rawMs);
        Entry now = entries.get(settledMs);
        if (now == null || now.epoch != epoch || other.payment == null) {
            return changed;
        }
        Entry whole = new Entry(
                epoch,
                now.payment,
                now.rawMs,
                now.estimate == null ? other.estimate : now.estimate,
                now.announcedH == null ? other.announcedH : now.announcedH);
        entries.put(settledMs, whole);
        return changed || !whole.equals(now);
    }

    private static @Nullable BigDecimal plain(@Nullable BigDecimal value) {
        return value == null ? null : Decimals.plain(value);
    }

    /** What is known about an instant; null when nothing is. */
    public @Nullable Entry at(long settledMs) {
        return entries.get(settledMs);
    }

    /** By instant, the oldest first. */
    public Map<Long, Entry> entries() {
        return entries;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PaymentDay that && dayMs == that.dayMs && entries.equals(that.entries);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(dayMs) + entries.hashCode();
    }

    private static int code(Basis basis) {
        return switch (basis) {
            case SETTLED -> 0;
            case ACCRUED -> 1;
            case ESTIMATE -> 2;
        };
    }

    private static Basis basis(int code) {
        return switch (code) {
            case 0 -> Basis.SETTLED;
            case 1 -> Basis.ACCRUED;
            default -> Basis.ESTIMATE;
        };
    }
}
