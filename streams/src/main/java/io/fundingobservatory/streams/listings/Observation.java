package io.fundingobservatory.streams.listings;

import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * One observation of a contract, as far as it concerns the next settlement.
 *
 * @param observedAtMs when it was read, epoch ms UTC
 * @param kind what the rate stands for
 * @param rate fraction of notional per the venue's own interval; null when it cannot be told
 * @param rate8h fraction of notional per 8 hours; null when the interval behind the value is unknown
 * @param intervalH the venue's own interval in hours; null when unknown
 * @param nextFundingMs the announced next settlement, epoch ms UTC; null when the venue announces none
 * @param coinPrice mark price per coin, or the index price where no mark is published, in quote currency; null when neither is
 */
public record Observation(
        long observedAtMs,
        RateKind kind,
        @Nullable BigDecimal rate,
        @Nullable BigDecimal rate8h,
        @Nullable BigDecimal intervalH,
        @Nullable Long nextFundingMs,
        @Nullable BigDecimal coinPrice) {
    private static final long LONGEST_INTERVAL_MS = 7 * Window.DAY_MS;
    private static final long ANNOUNCED_WITHIN_MS = 2 * 60_000;

    /** A venue's clock may be so far ahead of ours, and a row has the time of the oldest response of its poll. */
    private static final long PASSED_EARLY_MS = 5 * 60_000;

    /** The part of a row that settlements are made of. */
    public static Observation of(Rate rate) {
        BigDecimal price = rate.markPrice() == null ? rate.indexPrice() : rate.markPrice();
        return new Observation(
                rate.observedAtMs(),
                rate.rateKind(),
                rate.fundingRate(),
                rate.fundingRate8h(),
                rate.fundingIntervalH(),
                rate.nextFundingMs(),
                price == null ? null : Decimals.plain(perUnit(price, rate.priceScale())));
    }

    /** Most contracts are priced by the coin, and dividing by one was a twentieth of a stream thread's samples. */
    private static BigDecimal perUnit(BigDecimal price, BigDecimal scale) {
        return scale.compareTo(BigDecimal.ONE) == 0
                ? price.round(MathContext.DECIMAL128)
                : price.divide(scale, MathContext.DECIMAL128);
    }

    /** The hours between settlements as the row gives them; a rate that accrues continuously is settled each hour. */
    @Nullable
    BigDecimal settlesEveryH() {
        return kind == RateKind.CONTINUOUS ? BigDecimal.ONE : intervalH;
    }

    /**
     * The hours that the next settlement closes: from the settlement before it to the announced one. A row
     * can show the coming interval while the last settlement of the former interval is still to come. The
     * row's own interval therefore counts only where the settlement before is not known.
     *
     * @param settlementBeforeMs the settlement before, epoch ms on a whole minute; null when it is not known
     */
    @Nullable
    BigDecimal closesH(@Nullable Long settlementBeforeMs) {
        BigDecimal byRow = settlesEveryH();
        if (settlementBeforeMs == null || nextFundingMs == null || kind == RateKind.CONTINUOUS) {
            return byRow;
        }
        long ms = KnownSettlement.onTheMinute(nextFundingMs) - settlementBeforeMs;
        if (ms <= 0 || ms > LONGEST_INTERVAL_MS) {
            return byRow;
        }
        Long byRowMs = KnownSettlement.toMs(byRow);
        if (byRowMs != null && Math.abs(ms - byRowMs) <= ANNOUNCED_WITHIN_MS) {
            return byRow;
        }
        long wholeHours = Math.floorDiv(ms + Window.HOUR_MS / 2, Window.HOUR_MS) * Window.HOUR_MS;
        return wholeHours > 0 && Math.abs(ms - wholeHours) <= ANNOUNCED_WITHIN_MS
                ? BigDecimal.valueOf(wholeHours / Window.HOUR_MS)
                : BigDecimal.valueOf(ms).divide(BigDecimal.valueOf(Window.HOUR_MS), 18, RoundingMode.HALF_EVEN);
    }

    /**
     * Whether the announced settlement has taken place by the next observation. It is due then, or it is due within five
     * minutes and a later one is announced. An announcement that is replaced earlier was moved.
     */
    boolean isPassedAt(Observation next) {
        Long announced = nextFundingMs;
        if (announced == null || announced <= observedAtMs) {
            return false;
        }
        Long replacedBy = next.nextFundingMs;
        return announced <= next.observedAtMs
                || (replacedBy != null
                        && replacedBy - announced > ANNOUNCED_WITHIN_MS
                        && announced - next.observedAtMs <= PASSED_EARLY_MS);
    }

    /**
     * The settlement that the next observation followed, when no other settlement can lie between the two. Without an
     * announcement it is not known what took place.
     *
     * @param before the settlement that this observation followed; null when it is not known
     */
    @Nullable
    Long settlementBefore(@Nullable Long before, Observation next) {
        long shortestMs =
                Math.min(orAnHour(KnownSettlement.toMs(intervalH)), orAnHour(KnownSettlement.toMs(next.intervalH)));
        Long announced = nextFundingMs;
        if (announced == null) {
            return null;
        }
        if (isPassedAt(next)) {
            return next.observedAtMs - announced < shortestMs ? KnownSettlement.onTheMinute(announced) : null;
        }
        return next.observedAtMs - observedAtMs < shortestMs ? before : null;
    }

    private static long orAnHour(@Nullable Long ms) {
        return ms == null ? Window.HOUR_MS : ms;
    }

    /** Whether settlements take place on each whole UTC hour without being announced. */
    boolean settlesEachHour() {
        return kind == RateKind.CONTINUOUS
                || (nextFundingMs == null && intervalH != null && intervalH.compareTo(BigDecimal.ONE) == 0);
    }
}
