package io.fundingobservatory.topics.carry;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The funding difference of a pair day by day: the short leg's sum less the long leg's, over 24 hours each.
 *
 * @param windowEndMs where the last day ends, epoch ms UTC
 * @param days the differences, oldest first, fractions of notional; empty when no common day is known
 */
public record DailyDifferences(long windowEndMs, List<BigDecimal> days) {
    private static final long DAY_MS = 86_400_000;

    public DailyDifferences {
        days = List.copyOf(days);
    }

    /**
     * One day of a pair.
     *
     * @param startMs where the 24 hours begin, not included, epoch ms UTC
     * @param difference the short leg's sum less the long leg's, fraction of notional
     */
    public record Day(long startMs, BigDecimal difference) {}

    /** The differences of two legs of one pair, which cover the same days. */
    public static DailyDifferences of(CarryLeg shortLeg, CarryLeg longLeg, long windowEndMs) {
        List<BigDecimal> received = shortLeg.dailySums().list();
        List<BigDecimal> paid = longLeg.dailySums().list();
        var days = new ArrayList<BigDecimal>();
        if (received.size() == paid.size()) {
            for (int day = 0; day < paid.size(); day++) {
                days.add(plain(received.get(day).subtract(paid.get(day))));
            }
        }
        return new DailyDifferences(windowEndMs, days);
    }

    /** The difference over the last so many days; null when fewer are known. */
    public @Nullable BigDecimal over(int lastDays) {
        return days.size() < lastDays
                ? null
                : plain(days.subList(days.size() - lastDays, days.size()).stream()
                        .reduce(BigDecimal.ZERO, BigDecimal::add));
    }

    /** The day with the largest difference, the latest of equal ones; null when no day is known. */
    public @Nullable Day best() {
        return extreme(1);
    }

    /** The day with the smallest difference, the latest of equal ones; null when no day is known. */
    public @Nullable Day worst() {
        return extreme(-1);
    }

    /** Without trailing zeros and without an exponent. */
    private static BigDecimal plain(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    private @Nullable Day extreme(int sign) {
        Day found = null;
        for (int day = 0; day < days.size(); day++) {
            BigDecimal difference = days.get(day);
            if (found == null || difference.compareTo(found.difference) * sign >= 0) {
                found = new Day(windowEndMs - (days.size() - day) * DAY_MS, difference);
            }
        }
        return found;
    }
}
