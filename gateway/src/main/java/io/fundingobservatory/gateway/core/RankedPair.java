package io.fundingobservatory.gateway.core;

import io.fundingobservatory.topics.CarryLeg;
import io.fundingobservatory.topics.CarryPair;
import java.math.BigDecimal;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A pair of an asset's table, held in 150 bytes: there are some 220,000 of them.
 *
 * @param windowEndMs the end of its asset's window, epoch ms UTC
 * @param days whole days of 24 hours that both legs are covered for
 * @param difference the short leg's sum less the long leg's over those days, fraction of notional; null when there is no such day
 * @param positiveDays null likewise
 * @param digest the receipt's bytes; null likewise
 */
record RankedPair(
        String asset,
        long windowEndMs,
        CarryLeg longLeg,
        CarryLeg shortLeg,
        int days,
        boolean complete,
        @Nullable String reason,
        @Nullable BigDecimal difference,
        @Nullable Long positiveDays,
        byte @Nullable [] digest) {

    /** The pair as its table has it; a receipt that is no hexadecimal text is an {@link IllegalArgumentException}. */
    static RankedPair of(String asset, long windowEndMs, CarryPair pair) {
        String receipt = pair.receipt();
        return new RankedPair(
                asset,
                windowEndMs,
                pair.longLeg(),
                pair.shortLeg(),
                Math.toIntExact(pair.days()),
                pair.complete() && pair.fundingDifference() != null,
                pair.reason() == null ? null : pair.reason().intern(),
                pair.fundingDifference(),
                pair.positiveDays(),
                receipt == null ? null : HexFormat.of().parseHex(receipt));
    }

    @Nullable
    String receipt() {
        return digest == null ? null : HexFormat.of().formatHex(digest);
    }
}
