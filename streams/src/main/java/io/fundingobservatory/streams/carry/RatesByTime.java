package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.normalisation.RateConversion;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Settled rates per 8 hours, each with the milliseconds that settlements of that rate closed. */
final class RatesByTime {
    private static final BigDecimal HOUR_MS = BigDecimal.valueOf(Window.HOUR_MS);

    private final TreeMap<BigDecimal, Long> closedMs = new TreeMap<>();
    private long totalMs;

    private RatesByTime() {}

    /**
     * The percentiles of settlements from a place on; null where there are none, or the hours that one closed are not known. These hours
     * are those published or announced with it, else the whole hours since the settlement before, of the first one those to the next.
     */
    static @Nullable RatePercentiles percentiles(List<KnownSettlement> settlements, int from) {
        var rates = new RatesByTime();
        for (int i = from; i < settlements.size(); i++) {
            BigDecimal hours = hours(settlements, i);
            if (hours == null || hours.signum() <= 0) {
                return null;
            }
            rates.add(RateConversion.per8h(settlements.get(i).rate(), hours), hours);
        }
        return rates.totalMs == 0 ? null : new RatePercentiles(rates.at(10), rates.at(50), rates.at(90));
    }

    private static @Nullable BigDecimal hours(List<KnownSettlement> settlements, int i) {
        BigDecimal published = settlements.get(i).intervalH();
        if (published != null || settlements.size() == 1) {
            return published;
        }
        int later = Math.max(i, 1);
        long apartMs =
                settlements.get(later).settledMs() - settlements.get(later - 1).settledMs();
        return BigDecimal.valueOf((apartMs + Window.HOUR_MS / 2) / Window.HOUR_MS);
    }

    private void add(BigDecimal rate8h, BigDecimal hours) {
        long ms = hours.multiply(HOUR_MS).longValue();
        closedMs.merge(rate8h, ms, Long::sum);
        totalMs += ms;
    }

    /** The smallest rate that so many percent of the time did not exceed. */
    private BigDecimal at(int percent) {
        long passedMs = 0;
        for (Map.Entry<BigDecimal, Long> rate : closedMs.entrySet()) {
            passedMs += rate.getValue();
            if (passedMs * 100 >= totalMs * percent) {
                return rate.getKey();
            }
        }
        throw new IllegalStateException("the last rate has all of the time below it");
    }
}
