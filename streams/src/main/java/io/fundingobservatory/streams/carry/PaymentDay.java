package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.core.Decimals;
import io.fundingobservatory.topics.Basis;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The payments of one contract on one UTC day, and the instants at which one came due unseen, as a store keeps them: a change
 * writes one small value, and a ledger of 31 days is read as 31 of them.
 */
public final class PaymentDay {
    private static final byte ANNOUNCED = -1;
    private static final int WATCHED = 0x10;
    private static final int FIXED_BYTES = 32;
    private static final int MINUTE_MS = 60_000;

    private final long dayMs;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();

    /**
     * What is known about one instant.
     *
     * @param epoch which listing of the ticker it belongs to
     * @param payment what was charged; null when that is not known
     * @param rawMs the instant as published, epoch ms UTC
     * @param watched what our own last reading before the instant said was charged; null when there was none in time
     */
    public record Entry(
            long epoch,
            @Nullable Payment payment,
            long rawMs,
            @Nullable BigDecimal watched) {
        /** |settled − estimate|, fraction of notional; null unless both are known. */
        public @Nullable BigDecimal estimateError() {
            return payment == null || payment.basis() != Basis.SETTLED || watched == null
                    ? null
                    : Decimals.plain(payment.rate().subtract(watched).abs());
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
            byte basis = from.get();
            long epoch = from.getInt();
            if (basis == ANNOUNCED) {
                day.entries.put(settledMs, new Entry(epoch, null, settledMs, null));
                continue;
            }
            long observedAtMs = from.getLong();
            long rawMs = settledMs + from.getInt();
            BigDecimal rate = DecimalBytes.read(from);
            BigDecimal intervalH = DecimalBytes.read(from);
            BigDecimal watched = (basis & WATCHED) == 0 ? null : DecimalBytes.read(from);
            if (rate == null) {
                throw new IllegalStateException("a payment without a rate was never written");
            }
            var payment = new Payment(settledMs, rate, basis(basis & ~WATCHED), intervalH, observedAtMs);
            day.entries.put(settledMs, new Entry(epoch, payment, rawMs, watched));
        }
        return day;
    }

    public byte[] write() {
        int most = 0;
        for (Entry entry : entries.values()) {
            Payment payment = entry.payment;
            most += FIXED_BYTES
                    + DecimalBytes.most(entry.watched)
                    + (payment == null
                            ? 0
                            : DecimalBytes.most(payment.rate()) + DecimalBytes.most(payment.intervalH()));
        }
        ByteBuffer to = ByteBuffer.allocate(most);
        entries.forEach((settledMs, entry) -> {
            Payment payment = entry.payment;
            to.putShort((short) ((settledMs - dayMs) / MINUTE_MS));
            int watched = entry.watched == null ? 0 : WATCHED;
            to.put(payment == null ? ANNOUNCED : (byte) (code(payment.basis()) | watched));
            to.putInt(Math.toIntExact(entry.epoch));
            if (payment != null) {
                to.putLong(payment.observedAtMs()).putInt(Math.toIntExact(entry.rawMs - settledMs));
                DecimalBytes.put(to, payment.rate());
                DecimalBytes.put(to, payment.intervalH());
                if (entry.watched != null) {
                    DecimalBytes.put(to, entry.watched);
                }
            }
        });
        byte[] written = new byte[to.flip().remaining()];
        to.get(written);
        return written;
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
        BigDecimal watched = known == null || known.epoch != epoch ? null : known.watched;
        entries.put(payment.settledMs(), new Entry(epoch, payment, rawMs, watched));
        return true;
    }

    /**
     * Remembers what our own last reading before an instant said was charged, beside what is paid there.
     *
     * @return whether that changed anything
     */
    public boolean watch(long settledMs, BigDecimal rate) {
        Entry known = entries.get(settledMs);
        if (known == null || known.payment == null || Decimals.same(known.watched, rate)) {
            return false;
        }
        entries.put(settledMs, new Entry(known.epoch, known.payment, known.rawMs, Decimals.plain(rate)));
        return true;
    }

    /** Notes that a payment came due at an instant; changes nothing when more is known about it. */
    public boolean expect(long epoch, long settledMs) {
        Entry known = entries.get(settledMs);
        if (known != null && known.epoch >= epoch) {
            return false;
        }
        entries.put(settledMs, new Entry(epoch, null, settledMs, null));
        return true;
    }

    /** What is known about an instant; null when nothing is. */
    public @Nullable Entry at(long settledMs) {
        return entries.get(settledMs);
    }

    /** By instant, the oldest first. */
    public Map<Long, Entry> entries() {
        return entries;
    }

    private static byte code(Basis basis) {
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
