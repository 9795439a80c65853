package io.fundingobservatory.topics.carry;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Two contracts on one asset at two exchanges, and what the funding difference between them added up to. The short leg is the one
 * with the larger sum over the common window: orientation by hindsight.
 *
 * @param longLeg the leg with the smaller sum
 * @param shortLeg the leg with the larger sum
 * @param days whole 24-hour days, ending at the window's end, over which both legs are covered without a gap; at most 30
 * @param complete whether that is 30 and nothing is missing on either leg
 * @param reason why it is not complete; null when it is
 * @param fundingDifference sum of the short leg less sum of the long leg, fraction of notional; null when there is no common day
 * @param positiveDays days of the common window on which the difference was positive; null when there is none
 * @param receipt SHA-256 over the settlements of both legs; null when there is no common day
 */
public record CarryPair(
        CarryLeg longLeg,
        CarryLeg shortLeg,
        long days,
        boolean complete,
        @Nullable String reason,
        @Nullable BigDecimal fundingDifference,
        @Nullable Long positiveDays,
        @Nullable String receipt) {}
