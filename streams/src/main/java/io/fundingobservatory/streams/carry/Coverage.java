package io.fundingobservatory.streams.carry;

import io.fundingobservatory.topics.Basis;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How far back from the window's end a ledger has no gap.
 *
 * @param days whole 24-hour days ending at T in which nothing is missing; at most 30
 * @param missing the instants in the window at which a settlement is missing, oldest first
 * @param reason why it is fewer than 30 days; null when it is 30
 */
public record Coverage(
        int days, List<Long> missing, @Nullable String reason) {
    /** The contract was listed inside the window: the exchange's own history begins there. */
    public static final String LISTED_IN_WINDOW = "listed_in_window";

    /** We began to watch inside the window, and the exchange publishes nothing from before. */
    public static final String SERVICE_STARTED = "service_started";

    /** A settlement between two others, or several at the end, are missing. */
    public static final String GAP = "gap";

    /** More than seven days lie between two settlements: another listing under the same ticker. */
    public static final String RELISTED = "relisted";

    /** Only the very last settlement has not arrived yet. */
    public static final String SETTLEMENT_PENDING = "settlement_pending";

    private static final long RELISTED_AFTER_MS = 7 * Window.DAY_MS;
    private static final long JITTER_MS = 60_000;

    /**
     * Looks a ledger through.
     *
     * @param currentIntervalMs the contract's interval as announced now; null when unknown
     */
    public static Coverage of(Ledger ledger, Window window, @Nullable Long currentIntervalMs) {
        var payments = new ArrayList<>(ledger.until(window.endMs()).values());
        if (payments.isEmpty()) {
            return new Coverage(0, List.of(), SERVICE_STARTED);
        }
        var missing = new TreeSet<Long>();
        for (long due : ledger.announced()) {
            if (due <= window.endMs() && ledger.at(due) == null) {
                missing.add(due);
            }
        }
        Payment last = payments.getLast();
        addAfterLast(
                missing, last, interval(payments, payments.size() - 1, currentIntervalMs), window, currentIntervalMs);
        boolean onlyTheEnd = missing.tailSet(last.settledMs(), false).size() == 1;

        int first = 0;
        String boundary = payments.getFirst().basis() == Basis.SETTLED ? LISTED_IN_WINDOW : SERVICE_STARTED;
        for (int i = payments.size() - 1; i > 0; i--) {
            long gap = payments.get(i).settledMs() - payments.get(i - 1).settledMs();
            if (gap > RELISTED_AFTER_MS) {
                first = i;
                boundary = RELISTED;
                break;
            }
            addBetween(missing, payments.get(i - 1), payments.get(i), interval(payments, i, currentIntervalMs));
        }
        Payment earliest = payments.get(first);
        missing.headSet(earliest.settledMs()).clear();
        missing.headSet(window.startMs(), true).clear();

        Long earliestInterval = interval(payments, first, currentIntervalMs);
        long knownSince = earliest.settledMs() - (earliestInterval == null ? 0 : earliestInterval);
        long clearSince = missing.isEmpty() ? knownSince : Math.max(knownSince, missing.last());
        int days = Math.clamp((window.endMs() - clearSince) / Window.DAY_MS, 0, Window.DAYS);
        String reason = days == Window.DAYS
                ? null
                : missing.isEmpty()
                        ? boundary
                        : missing.last() > last.settledMs() && onlyTheEnd ? SETTLEMENT_PENDING : GAP;
        return new Coverage(days, List.copyOf(missing), reason);
    }

    /** The interval that a payment closed: as read, else told by its neighbours; null when there is nothing to tell it by. */
    private static @Nullable Long interval(List<Payment> payments, int i, @Nullable Long currentIntervalMs) {
        Long read = payments.get(i).intervalMs();
        if (read != null) {
            return read;
        }
        Long before = gapBefore(payments, i);
        Long previous = gapBefore(payments, i - 1);
        Long next = i + 1 < payments.size() ? gapBefore(payments, i + 1) : currentIntervalMs;
        if (before == null) {
            return next;
        }
        // A gap wider than those on both sides is a hole, not a change of the interval.
        boolean widerThanBoth =
                (previous == null || before > previous + JITTER_MS) && (next == null || before > next + JITTER_MS);
        if (!widerThanBoth || (previous == null && next == null)) {
            return before;
        }
        return previous == null ? next : next == null ? previous : Long.valueOf(Math.min(previous, next));
    }

    private static @Nullable Long gapBefore(List<Payment> payments, int i) {
        return i <= 0
                ? null
                : Long.valueOf(payments.get(i).settledMs() - payments.get(i - 1).settledMs());
    }

    private static void addBetween(TreeSet<Long> missing, Payment earlier, Payment later, @Nullable Long intervalMs) {
        if (intervalMs == null || intervalMs <= 0) {
            return;
        }
        for (long due = later.settledMs() - intervalMs; due > earlier.settledMs() + JITTER_MS; due -= intervalMs) {
            missing.add(due);
        }
    }

    private static void addAfterLast(
            TreeSet<Long> missing,
            Payment last,
            @Nullable Long lastIntervalMs,
            Window window,
            @Nullable Long currentIntervalMs) {
        Long interval = currentIntervalMs == null ? lastIntervalMs : currentIntervalMs;
        if (interval == null || interval <= 0) {
            return;
        }
        for (long due = last.settledMs() + interval; due <= window.endMs(); due += interval) {
            missing.add(due);
        }
    }
}
