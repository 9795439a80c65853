package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pair of an asset's table. There are some 220,000 of them: hence the days in one byte, and the receipt's 32 bytes as four numbers.
 *
 * @param venues those of both legs, as {@link PairRanking#bits}
 * @param longLeg the leg with the smaller sum: who holds it long pays less, or is paid
 * @param shortLeg the leg with the larger sum
 * @param days whole days of 24 hours that both legs are covered for
 * @param complete whether every settlement of both legs within the 30 days is known
 * @param reason why it is not complete; null when it is
 * @param difference the short leg's sum less the long leg's over those days, fraction of notional; null when there is no such day
 * @param positiveDays days on which the difference was positive; null when there is no common day
 * @param receipt0 the first 8 bytes of the receipt; four zeros stand for none
 */
record RankedPair(
        String asset,
        long venues,
        CarryLeg longLeg,
        CarryLeg shortLeg,
        byte days,
        boolean complete,
        @Nullable String reason,
        @Nullable BigDecimal difference,
        @Nullable Long positiveDays,
        long receipt0,
        long receipt1,
        long receipt2,
        long receipt3)
        implements PairRanking.Entry {
    private static final HexFormat HEX = HexFormat.of();
    private static final String NO_RECEIPT = "0".repeat(64);

    /** Takes the values over; an {@link IllegalArgumentException} when the receipt has not 32 bytes, or the days are not of a window. */
    static RankedPair of(String asset, CarryPair pair) {
        Long positive = pair.positiveDays();
        String receipt = pair.receipt() == null ? NO_RECEIPT : pair.receipt();
        if (receipt.length() != NO_RECEIPT.length()) {
            throw new IllegalArgumentException("a receipt has 32 bytes");
        }
        return new RankedPair(
                asset,
                PairRanking.bits(List.of(pair.longLeg().venue(), pair.shortLeg().venue())),
                pair.longLeg(),
                pair.shortLeg(),
                days(pair.days()),
                pair.complete() && pair.fundingDifference() != null,
                pair.reason(),
                pair.fundingDifference(),
                positive == null ? null : Long.valueOf(days(positive)),
                HexFormat.fromHexDigitsToLong(receipt, 0, 16),
                HexFormat.fromHexDigitsToLong(receipt, 16, 32),
                HexFormat.fromHexDigitsToLong(receipt, 32, 48),
                HexFormat.fromHexDigitsToLong(receipt, 48, 64));
    }

    private static byte days(long days) {
        if (days < 0 || days > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("a window has 30 days");
        }
        return (byte) days;
    }

    /** The receipt in hexadecimal; null when there is no common day. */
    @Nullable
    String receipt() {
        String receipt = HEX.toHexDigits(receipt0)
                + HEX.toHexDigits(receipt1)
                + HEX.toHexDigits(receipt2)
                + HEX.toHexDigits(receipt3);
        return receipt.equals(NO_RECEIPT) ? null : receipt;
    }
}
