package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.spec.Request.Priority;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * When a venue is polled, and which part of the time each priority of requests has. A request declares how often
 * it is due and its priority; this class decides when it is sent.
 *
 * <pre>{@code
 * priority            sent, from the start of a poll on, for an interval of 60 s
 * lists, then rates   at once; a list when it is due, rates in each poll
 * rates by key        until 45 s; until 36 s while settled rates wait to be read
 * details by key      until 8 s, and between polls until 50 s; half of that time while settled rates wait
 * settled history     then, until 50 s
 * }</pre>
 *
 * @param interval the time between the starts of two polls
 */
record PollPlan(Duration interval) {
    /** While settled rates wait to be read, each poll requests the rates of every second key. */
    static final int SLOWED_ONE_OF = 2;

    /** The first polls of all venues start within this time: an empty cluster fills quickly, and not in one go. */
    private static final long FIRST_WITHIN_MS = 4_000;

    /** Settled history begins so long after the start: the first rates of all venues come first. */
    static final Duration HISTORY_AFTER = Duration.ofSeconds(20);

    /** The part of an interval for the keys of the first poll, and between the last request and the next poll. */
    private static final int FIRST_KEYS_SHARE = 6;

    private static final int SPREAD_SHARE = 4;
    private static final int KEYS_PERCENT = 75;
    private static final int SHARED_KEYS_PERCENT = 60;

    /** How long a poll waits for details; the rest of them follow between polls. */
    private static final long DETAILS_MS = 8_000;

    /** No more than this part of the first poll, so that rates have the rest where polls are frequent or requests slow. */
    private static final int FIRST_DETAILS_PERCENT = 80;

    /** Returns the priorities of requests by key in their order: rates first, but in the first poll details. */
    static List<Priority> byKey(boolean first) {
        return first
                ? List.of(Priority.DETAILS_BY_KEY, Priority.EACH_POLL_BY_KEY)
                : List.of(Priority.EACH_POLL_BY_KEY, Priority.DETAILS_BY_KEY);
    }

    /** Returns for how long after the plain requests of a poll those of a priority are sent, of the time for all keys. */
    static Duration window(Priority priority, Duration forKeys, boolean first) {
        if (priority == Priority.EACH_POLL_BY_KEY) {
            return forKeys;
        }
        long most = first ? forKeys.toMillis() * FIRST_DETAILS_PERCENT / 100 : forKeys.toMillis();
        return Duration.ofMillis(Math.min(DETAILS_MS, most));
    }

    Duration firstPoll(RandomGenerator random) {
        return Duration.ofMillis(random.nextLong(Math.min(FIRST_WITHIN_MS, interval.toMillis())));
    }

    /** Returns how long after the first poll the second one begins, which gives the venue a phase of its own. */
    Duration secondPoll(RandomGenerator random) {
        long ms = interval.toMillis();
        return Duration.ofMillis(ms - random.nextLong(ms - ms / SPREAD_SHARE));
    }

    Duration firstKeys() {
        return interval.dividedBy(FIRST_KEYS_SHARE);
    }

    /** Returns the time for requests by key in a poll; less while settled rates wait to be read. */
    Duration keys(boolean historyIsBehind) {
        return interval.multipliedBy(historyIsBehind ? SHARED_KEYS_PERCENT : KEYS_PERCENT)
                .dividedBy(100);
    }

    /** The time without requests before the next poll. */
    Duration quiet() {
        return interval.dividedBy(FIRST_KEYS_SHARE);
    }

    /** The time for details between polls; settled history has the rest. */
    static Duration details(Duration untilQuiet, boolean historyIsBehind) {
        return historyIsBehind ? untilQuiet.dividedBy(2) : untilQuiet;
    }
}
