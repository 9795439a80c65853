package io.fundingobservatory.gateway.core.pairs;

import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A pair of an asset's table, held in 72 bytes: there are some 220,000 of them. Hence the receipt's 32 bytes as four numbers, days in one
 * byte, and a difference as its digits and its scale.
 */
public final class RankedPair implements RankedList.Entry {
    /** Stands for a number of positive days that is not known. */
    private static final byte UNKNOWN = -1;

    /** Stands for a scale where the difference is not known, or has more than 18 digits. */
    private static final byte NONE = Byte.MIN_VALUE;

    private static final int DIGITS_OF_A_LONG = 18;

    private static final long[] POWERS_OF_TEN = LongStream.iterate(1, power -> power * 10)
            .limit(DIGITS_OF_A_LONG + 1)
            .toArray();

    private final String asset;
    private final CarryLeg longLeg;
    private final CarryLeg shortLeg;
    private final @Nullable String reason;
    private final @Nullable BigDecimal wideDifference;
    private final long differenceDigits;
    private final long receipt0;
    private final long receipt1;
    private final long receipt2;
    private final long receipt3;
    private final byte days;
    private final byte positiveDays;
    private final byte differenceScale;
    private final boolean complete;

    /** Takes the values over; an {@link IllegalArgumentException} when the receipt has not 32 bytes, or the days are not of a window. */
    RankedPair(String asset, CarryPair pair) {
        this.asset = asset;
        this.longLeg = pair.longLeg();
        this.shortLeg = pair.shortLeg();
        this.reason = pair.reason() == null ? null : pair.reason().intern();
        BigDecimal difference = pair.fundingDifference();
        if (difference != null && isBrief(difference)) {
            this.wideDifference = null;
            this.differenceDigits = difference.unscaledValue().longValueExact();
            this.differenceScale = (byte) difference.scale();
        } else {
            this.wideDifference = difference;
            this.differenceDigits = 0;
            this.differenceScale = NONE;
        }
        this.days = days(pair.days());
        this.positiveDays = pair.positiveDays() == null ? UNKNOWN : days(pair.positiveDays());
        this.complete = pair.complete() && difference != null;
        ByteBuffer receipt = receipt(pair.receipt());
        this.receipt0 = receipt.getLong();
        this.receipt1 = receipt.getLong();
        this.receipt2 = receipt.getLong();
        this.receipt3 = receipt.getLong();
    }

    private static boolean isBrief(BigDecimal difference) {
        return difference.precision() <= DIGITS_OF_A_LONG && Math.abs(difference.scale()) <= Byte.MAX_VALUE;
    }

    private static byte days(long days) {
        if (days < 0 || days > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("a window has 30 days");
        }
        return (byte) days;
    }

    private static ByteBuffer receipt(@Nullable String hexadecimal) {
        byte[] digest = hexadecimal == null ? new byte[32] : HexFormat.of().parseHex(hexadecimal);
        if (digest.length != 32) {
            throw new IllegalArgumentException("a receipt has 32 bytes");
        }
        return ByteBuffer.wrap(digest);
    }

    @Override
    public String asset() {
        return asset;
    }

    @Override
    public String oneVenue() {
        return longLeg.venue();
    }

    @Override
    public String otherVenue() {
        return shortLeg.venue();
    }

    /** The leg with the smaller sum: who holds it long pays less, or is paid. */
    public CarryLeg longLeg() {
        return longLeg;
    }

    /** The leg with the larger sum. */
    public CarryLeg shortLeg() {
        return shortLeg;
    }

    /** Whole days of 24 hours that both legs are covered for. */
    public int days() {
        return days;
    }

    /** Whether every settlement of both legs within the 30 days is known. */
    public boolean complete() {
        return complete;
    }

    /** Why it is not complete; null when it is. */
    public @Nullable String reason() {
        return reason;
    }

    /** The short leg's sum less the long leg's over those days, fraction of notional; null when there is no such day. */
    public @Nullable BigDecimal difference() {
        return differenceScale == NONE ? wideDifference : BigDecimal.valueOf(differenceDigits, differenceScale);
    }

    /** Compares the differences; one that is not known counts as 0. Makes no object where both are brief and of near scales. */
    int compareDifference(RankedPair other) {
        if (differenceScale != NONE && other.differenceScale != NONE) {
            int scale = Math.max(differenceScale, other.differenceScale);
            long factor = power(scale - differenceScale);
            long otherFactor = power(scale - other.differenceScale);
            if (fits(differenceDigits, factor) && fits(other.differenceDigits, otherFactor)) {
                return Long.compare(differenceDigits * factor, other.differenceDigits * otherFactor);
            }
        }
        return Objects.requireNonNullElse(difference(), BigDecimal.ZERO)
                .compareTo(Objects.requireNonNullElse(other.difference(), BigDecimal.ZERO));
    }

    /** A power of ten; 0 where it is beyond a long. */
    private static long power(int exponent) {
        return exponent < POWERS_OF_TEN.length ? POWERS_OF_TEN[exponent] : 0;
    }

    private static boolean fits(long digits, long factor) {
        return factor != 0 && Math.multiplyHigh(digits, factor) == (digits * factor) >> 63;
    }

    /** Null when there is no common day. */
    public @Nullable Long positiveDays() {
        return positiveDays == UNKNOWN ? null : Long.valueOf(positiveDays);
    }

    /** The receipt in hexadecimal; null when there is no common day. */
    public @Nullable String receipt() {
        // A digest of nothing but zeros stands for none.
        if ((receipt0 | receipt1 | receipt2 | receipt3) == 0) {
            return null;
        }
        var digest = ByteBuffer.allocate(32)
                .putLong(receipt0)
                .putLong(receipt1)
                .putLong(receipt2)
                .putLong(receipt3);
        return HexFormat.of().formatHex(digest.array());
    }
}
