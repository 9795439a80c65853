package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.payments.Ledger;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.streams.payments.Window;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A funding payment that came due between two consecutive readings of a contract. */
public sealed interface DueSettlement {
    /** A reading older than this at the instant of the charge says nothing about what was charged. */
    long LAST_READING_WITHIN_MS = 120_000;

    /** The instant of the charge, epoch ms UTC, on a whole minute. */
    long settledMs();

    /**
     * The last reading before the charge tells what was charged.
     *
     * @param announcedMs the instant as announced, epoch ms UTC
     */
    record Charged(Payment payment, long announcedMs) implements DueSettlement {
        @Override
        public long settledMs() {
            return payment.settledMs();
        }
    }

    /**
     * A payment came due, and no reading tells what was charged.
     *
     * @param intervalH the hours that it closed; null when unknown
     */
    record Missing(long settledMs, @Nullable BigDecimal intervalH) implements DueSettlement {}

    /**
     * What came due after one reading and not after the next. An announced instant that the last reading before it no longer
     * announces was moved, and is not due.
     *
     * @param listing with the last reading
     * @param nextObservedAtMs when the next reading was taken, epoch ms UTC
     */
    static List<DueSettlement> between(Listing listing, long nextObservedAtMs) {
        Reading last = listing.last();
        if (last.dueEachHour()) {
            return hours(last, nextObservedAtMs);
        }
        Long announced = last.nextFundingMs();
        return announced == null || announced <= last.observedAtMs() || announced > nextObservedAtMs
                ? List.of()
                : List.of(due(last, announced, last.closesH(listing.chargedMs())));
    }

    private static List<DueSettlement> hours(Reading last, long nextObservedAtMs) {
        var hours = new ArrayList<DueSettlement>();
        long first = Math.floorDiv(last.observedAtMs(), Window.HOUR_MS) * Window.HOUR_MS + Window.HOUR_MS;
        long from = Math.max(first, Math.floorDiv(nextObservedAtMs - Ledger.KEPT_MS, Window.HOUR_MS) * Window.HOUR_MS);
        for (long hour = from; hour <= nextObservedAtMs; hour += Window.HOUR_MS) {
            hours.add(due(last, hour, BigDecimal.ONE));
        }
        return hours;
    }

    private static DueSettlement due(Reading last, long atMs, @Nullable BigDecimal closesH) {
        long settledMs = Payment.onTheMinute(atMs);
        BigDecimal charged = atMs - last.observedAtMs() > LAST_READING_WITHIN_MS ? null : charged(last, closesH);
        if (charged == null) {
            return new Missing(settledMs, closesH);
        }
        return new Charged(new Payment(settledMs, charged, Basis.ESTIMATE, closesH, last.observedAtMs()), atMs);
    }

    /** What the reading shows for the hours that the charge closes: a row can show the coming interval already. */
    private static @Nullable BigDecimal charged(Reading last, @Nullable BigDecimal closesH) {
        if (last.kind() == RateKind.LAST_SETTLED) {
            return null; // it speaks of the payment before
        }
        BigDecimal rate8h = last.rate8h();
        boolean continuous = last.kind() == RateKind.CONTINUOUS;
        if (!continuous && (rate8h == null || closesH == null || Decimals.same(closesH, last.intervalH()))) {
            return last.rate();
        }
        return rate8h == null || closesH == null ? null : RateConversion.over(rate8h, closesH);
    }
}
