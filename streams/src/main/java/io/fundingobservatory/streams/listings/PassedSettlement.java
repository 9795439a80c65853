package io.fundingobservatory.streams.listings;

import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A settlement that took place between two consecutive observations of a contract.
 *
 * @param settledMs the instant of the settlement, epoch ms UTC, on a whole minute
 * @param announcedMs the instant as announced, epoch ms UTC
 * @param intervalH the hours that it closed; null when unknown
 * @param estimate by the last observation before it; null when that does not show the settled rate
 */
public record PassedSettlement(
        long settledMs,
        long announcedMs,
        @Nullable BigDecimal intervalH,
        @Nullable KnownSettlement estimate) {
    /** An observation older than this at the instant of the settlement says nothing about the settled rate. */
    static final long LAST_OBSERVATION_WITHIN_MS = 120_000;

    /**
     * Returns what took place between the last observation of a listing and the next one. An announced instant that was moved
     * is not due.
     */
    public static List<PassedSettlement> between(Listing listing, Observation next) {
        Observation last = listing.last();
        if (last.settlesEachHour()) {
            return hours(last, next.observedAtMs());
        }
        Long announced = last.nextFundingMs();
        return announced != null && last.isPassedAt(next)
                ? List.of(passed(last, announced, last.closesH(listing.settlementBeforeMs())))
                : List.of();
    }

    private static List<PassedSettlement> hours(Observation last, long nextObservedAtMs) {
        var hours = new ArrayList<PassedSettlement>();
        long first = Math.floorDiv(last.observedAtMs(), Window.HOUR_MS) * Window.HOUR_MS + Window.HOUR_MS;
        long from = Math.max(
                first, Math.floorDiv(nextObservedAtMs - ContractSettlements.KEPT_MS, Window.HOUR_MS) * Window.HOUR_MS);
        for (long hour = from; hour <= nextObservedAtMs; hour += Window.HOUR_MS) {
            hours.add(passed(last, hour, BigDecimal.ONE));
        }
        return hours;
    }

    private static PassedSettlement passed(Observation last, long atMs, @Nullable BigDecimal closesH) {
        long settledMs = KnownSettlement.onTheMinute(atMs);
        BigDecimal rate = atMs - last.observedAtMs() > LAST_OBSERVATION_WITHIN_MS ? null : estimate(last, closesH);
        var estimate = rate == null
                ? null
                : new KnownSettlement(settledMs, rate, Basis.ESTIMATE, closesH, last.observedAtMs());
        return new PassedSettlement(settledMs, atMs, closesH, estimate);
    }

    /** What the observation shows for the hours that the settlement closes: a row can show the coming interval already. */
    private static @Nullable BigDecimal estimate(Observation last, @Nullable BigDecimal closesH) {
        if (last.kind() == RateKind.LAST_SETTLED) {
            return null; // it speaks of the settlement before
        }
        BigDecimal rate8h = last.rate8h();
        boolean continuous = last.kind() == RateKind.CONTINUOUS;
        if (!continuous && (rate8h == null || closesH == null || Decimals.same(closesH, last.intervalH()))) {
            return last.rate();
        }
        return rate8h == null || closesH == null ? null : RateConversion.over(rate8h, closesH);
    }
}
