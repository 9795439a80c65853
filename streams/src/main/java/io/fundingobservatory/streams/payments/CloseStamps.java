package io.fundingobservatory.streams.payments;

import java.util.ArrayList;
import java.util.List;

/**
 * Merges payments closer than half of the interval that they close: they are one settlement. One of them is
 * stamped a minute later than its own estimate, or published again under another stamp. The better basis is
 * kept, with its instant.
 */
public final class CloseStamps {
    /** Where no interval is published, none is taken to be shorter: venues settle every 1, 4 or 8 hours. */
    public static final long SHORTEST_INFERRED_MS = Window.HOUR_MS;

    private CloseStamps() {}

    /** The settlements of a contract, of its payments by their instants; both oldest first. */
    static List<Payment> merged(List<Payment> payments) {
        var settlements = new ArrayList<Payment>(payments.size());
        long firstStampMs = 0; // of the last settlement
        for (Payment payment : payments) {
            Payment last = settlements.isEmpty() ? null : settlements.getLast();
            if (last != null && 2 * (payment.settledMs() - firstStampMs) < Math.min(closed(last), closed(payment))) {
                boolean replaces = payment.ranksBefore(last);
                Payment better = replaces ? payment : last;
                Payment other = replaces ? last : payment;
                settlements.set(settlements.size() - 1, better.closing(other.intervalH()));
            } else {
                settlements.add(payment);
                firstStampMs = payment.settledMs();
            }
        }
        return settlements;
    }

    private static long closed(Payment payment) {
        Long published = payment.intervalMs();
        return published == null ? SHORTEST_INFERRED_MS : published;
    }
}
