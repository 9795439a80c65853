package io.fundingobservatory.streams.settlements;

import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One settlement of one contract.
 *
 * @param settledMs the instant of the settlement, epoch ms UTC, on a whole minute
 * @param rate fraction of notional charged at this one settlement; longs pay shorts when positive
 * @param basis what the value rests on
 * @param intervalH the interval that it closed, in hours; null when unknown
 * @param observedAtMs when the value was read, epoch ms UTC
 */
public record KnownSettlement(
        long settledMs,
        BigDecimal rate,
        Basis basis,
        @Nullable BigDecimal intervalH,
        long observedAtMs) {
    private static final long MINUTE_MS = 60_000;
    private static final BigDecimal HOUR_MS = BigDecimal.valueOf(Window.HOUR_MS);

    /** The best first. A total order over what can be said about one instant, so that the order of arrival changes nothing. */
    private static final Comparator<KnownSettlement> BEST_FIRST = Comparator.comparing(KnownSettlement::basis)
            .thenComparing(
                    Comparator.comparingLong(KnownSettlement::observedAtMs).reversed())
            .thenComparing(KnownSettlement::rate)
            .thenComparing(p -> p.intervalH, Comparator.nullsLast(Comparator.naturalOrder()));

    /** Numbers have one spelling, so that what is equal is written alike. */
    public KnownSettlement {
        rate = Decimals.plain(rate);
        intervalH = Decimals.plainOrNull(intervalH);
    }

    /** An instant rounded to the nearest whole minute: venues stamp settlements some seconds off it. */
    public static long onTheMinute(long epochMs) {
        return Math.floorDiv(epochMs + MINUTE_MS / 2, MINUTE_MS) * MINUTE_MS;
    }

    /** Hours as milliseconds; null for null. */
    public static @Nullable Long toMs(@Nullable BigDecimal hours) {
        return hours == null ? null : hours.multiply(HOUR_MS).longValue();
    }

    /** Whether this one replaces the other for the same instant. */
    public boolean replaces(KnownSettlement other) {
        return BEST_FIRST.compare(this, other) < 0;
    }

    /** Whether this one counts where both are of one settlement: the better basis, and of two equal ones the later observation. */
    boolean ranksBefore(KnownSettlement other) {
        return BEST_FIRST.thenComparingLong(KnownSettlement::settledMs).compare(this, other) < 0;
    }

    /** Whether both say the same about the settled rate, whenever that was read. */
    public boolean saysTheSame(KnownSettlement other) {
        return basis == other.basis && rate.compareTo(other.rate) == 0 && Decimals.same(intervalH, other.intervalH);
    }

    /** The interval in milliseconds; null when unknown. */
    @Nullable
    public Long intervalMs() {
        return toMs(intervalH);
    }

    /** The same, with an interval where it has none of its own. */
    public KnownSettlement closing(@Nullable BigDecimal hours) {
        return intervalH != null || hours == null
                ? this
                : new KnownSettlement(settledMs, rate, basis, hours, observedAtMs);
    }
}
