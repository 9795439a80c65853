package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.core.Decimals;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.RateKind;
import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/**
 * What one reading of a contract says about the funding payment to come.
 *
 * @param observedAtMs when it was read, epoch ms UTC
 * @param kind what the rate stands for
 * @param rate fraction of notional per the exchange's own interval; null when it cannot be told
 * @param rate8h fraction of notional per 8 hours; null when the interval behind the figure is unknown
 * @param intervalH the exchange's own interval in hours; null when unknown
 * @param nextFundingMs the announced next settlement, epoch ms UTC; null when the exchange announces none
 * @param coinPrice mark price per coin, in quote currency; null when not published
 */
public record Reading(
        long observedAtMs,
        RateKind kind,
        @Nullable BigDecimal rate,
        @Nullable BigDecimal rate8h,
        @Nullable BigDecimal intervalH,
        @Nullable Long nextFundingMs,
        @Nullable BigDecimal coinPrice) {

    /** The part of a row that settlements are made of. */
    public static Reading of(Rate rate) {
        BigDecimal mark = rate.markPrice();
        return new Reading(
                rate.observedAtMs(),
                rate.rateKind(),
                rate.fundingRate(),
                rate.fundingRate8h(),
                rate.fundingIntervalH(),
                rate.nextFundingMs(),
                mark == null ? null : Decimals.plain(mark.divide(rate.priceScale(), MathContext.DECIMAL128)));
    }

    /** The hours that one payment closes: what accrues continuously is booked hour by hour. */
    public @Nullable BigDecimal paidEveryH() {
        return kind == RateKind.CONTINUOUS ? BigDecimal.ONE : intervalH;
    }

    /** Whether payments come due on each whole UTC hour without being announced. */
    boolean dueEachHour() {
        return kind == RateKind.CONTINUOUS
                || (nextFundingMs == null && intervalH != null && intervalH.compareTo(BigDecimal.ONE) == 0);
    }
}
