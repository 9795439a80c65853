package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.json.RecordFields;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Polls of one venue and the time without rates of it, by full hours of a day and UTC days of 30 days. Time counts as
 * missing while no rate of the venue is younger than {@link Rate#STALE_AFTER_MS}. The cause may be the venue, the
 * network, or an outage of this service.
 *
 * @param sinceMs when counting began, epoch ms UTC; in the future when the clock was ahead then
 * @param untilMs when the last poll ended, epoch ms UTC; missing time is counted up to here
 * @param freshUntilMs when the newest rate becomes stale, epoch ms UTC; not after {@code untilMs} before the first rate
 * @param polls polls that ended in an hour, by its first instant ({@code 2026-11-25T13:00:00Z})
 * @param failed those of them without a rate, also because a back-off permitted no request; hours without any are absent
 * @param missingMs milliseconds without rates, by hour; hours without any are absent
 * @param missingMsByDay the same by the first instant of a day
 */
public record PollCounts(
        long sinceMs,
        long untilMs,
        long freshUntilMs,
        Map<String, Long> polls,
        Map<String, Long> failed,
        Map<String, Long> missingMs,
        Map<String, Long> missingMsByDay) {
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long DAY_MS = Duration.ofDays(1).toMillis();
    private static final int DAYS = 30;
    private static final int PRESENCE_DECIMALS = 6;

    static final JsonCodec<PollCounts> CODEC = JsonCodec.<PollCounts>of("poll-counts", 1)
            .integer("since_ms", PollCounts::sinceMs)
            .integer("until_ms", PollCounts::untilMs)
            .integer("fresh_until_ms", PollCounts::freshUntilMs)
            .counts("polls_by_hour", PollCounts::polls)
            .counts("failed_polls_by_hour", PollCounts::failed)
            .counts("missing_ms_by_hour", PollCounts::missingMs)
            .counts("missing_ms_by_day", PollCounts::missingMsByDay)
            .build(f -> new PollCounts(
                    f.integer("since_ms"),
                    f.integer("until_ms"),
                    f.integer("fresh_until_ms"),
                    whole(f, "polls_by_hour", ChronoUnit.HOURS),
                    whole(f, "failed_polls_by_hour", ChronoUnit.HOURS),
                    whole(f, "missing_ms_by_hour", ChronoUnit.HOURS),
                    whole(f, "missing_ms_by_day", ChronoUnit.DAYS)));

    public PollCounts {
        polls = Map.copyOf(polls);
        failed = Map.copyOf(failed);
        missingMs = Map.copyOf(missingMs);
        missingMsByDay = Map.copyOf(missingMsByDay);
    }

    /**
     * Sums over the last day: from the full hour 24 hours ago, or from the beginning of counting if that is later.
     *
     * @param polls polls that ended
     * @param failed those of them without a rate
     * @param missingMs milliseconds without rates
     */
    public record LastDay(long polls, long failed, long missingMs) {}

    /** Counts of a venue that has not been polled; an instant in epoch ms UTC. */
    public static PollCounts since(long nowMs) {
        return new PollCounts(nowMs, nowMs, nowMs, Map.of(), Map.of(), Map.of(), Map.of());
    }

    /**
     * Returns the counts with one more poll. Time since the last poll is included, whichever process made that.
     *
     * @param nowMs the end of the poll, epoch ms UTC
     * @param newestMs when its newest rate was observed, epoch ms UTC; null when it brought none
     */
    public PollCounts with(long nowMs, @Nullable Long newestMs) {
        var hours = kept(missingMs, hour(nowMs) - DAY_MS, nowMs);
        var days = kept(missingMsByDay, day(nowMs) - DAYS * DAY_MS, nowMs);
        long from = Math.max(missingFromMs(), day(nowMs) - DAYS * DAY_MS);
        while (from < nowMs) {
            long to = Math.min(nowMs, hour(from) + HOUR_MS);
            if (hour(from) >= hour(nowMs) - DAY_MS) {
                hours.merge(name(hour(from)), to - from, Long::sum);
            }
            days.merge(name(day(from)), to - from, Long::sum);
            from = to;
        }
        var all = kept(polls, hour(nowMs) - DAY_MS, nowMs);
        all.merge(name(hour(nowMs)), 1L, Long::sum);
        var without = kept(failed, hour(nowMs) - DAY_MS, nowMs);
        if (newestMs == null) {
            without.merge(name(hour(nowMs)), 1L, Long::sum);
        }
        // A clock that was ahead and is put right must not hide time.
        long fresh = Math.min(freshUntilMs, nowMs + Rate.STALE_AFTER_MS);
        return new PollCounts(
                sinceMs,
                nowMs,
                newestMs == null ? fresh : Math.max(fresh, newestMs + Rate.STALE_AFTER_MS),
                all,
                without,
                hours,
                days);
    }

    /**
     * Returns the same counts with the last poll at another instant, epoch ms UTC, and its rates fresh for as long. A process
     * whose clock has jumped derives that instant from the time that has passed, so a jump is not an outage. A machine
     * that slept looks the same: while one process sleeps, nothing is counted as missing. Counts outside the window of a
     * wrong clock are forgotten.
     */
    public PollCounts lastPolledAt(long atMs) {
        return new PollCounts(sinceMs, atMs, freshUntilMs + atMs - untilMs, polls, failed, missingMs, missingMsByDay);
    }

    /** Sums over the last day as of an instant, epoch ms UTC; time since the last poll is included. */
    public LastDay lastDay(long nowMs) {
        long from = hour(nowMs) - DAY_MS;
        return new LastDay(
                sum(polls, from, nowMs),
                sum(failed, from, nowMs),
                sum(missingMs, from, nowMs) + missingSince(from, nowMs));
    }

    /**
     * Returns the share of time with rates from the beginning of the UTC day 30 days ago to an instant. It is rounded down
     * to 6 decimals: 1 means that nothing was missing. It is null until so much time has been counted.
     */
    public @Nullable BigDecimal presence(long nowMs) {
        long from = day(nowMs) - DAYS * DAY_MS;
        if (sinceMs > from) {
            return null;
        }
        long missing = sum(missingMsByDay, from, nowMs) + missingSince(from, nowMs);
        return BigDecimal.valueOf(Math.max(0, nowMs - from - missing))
                .divide(BigDecimal.valueOf(nowMs - from), PRESENCE_DECIMALS, RoundingMode.DOWN);
    }

    private long missingFromMs() {
        return Math.max(untilMs, freshUntilMs);
    }

    /** What the last poll could not count yet. */
    private long missingSince(long fromMs, long nowMs) {
        return Math.max(0, nowMs - Math.max(fromMs, missingFromMs()));
    }

    private static long sum(Map<String, Long> counts, long fromMs, long nowMs) {
        return kept(counts, fromMs, nowMs).values().stream()
                .mapToLong(count -> count)
                .sum();
    }

    /**
     * Those from an instant to now: names of hours and days are in the order of time. A clock that was ahead has left
     * counts of the future.
     */
    private static TreeMap<String, Long> kept(Map<String, Long> counts, long fromMs, long nowMs) {
        return new TreeMap<>(new TreeMap<>(counts).subMap(name(fromMs), true, name(hour(nowMs)), true));
    }

    private static String name(long startMs) {
        return Instant.ofEpochMilli(startMs).toString();
    }

    private static long hour(long atMs) {
        return Math.floorDiv(atMs, HOUR_MS) * HOUR_MS;
    }

    private static long day(long atMs) {
        return Math.floorDiv(atMs, DAY_MS) * DAY_MS;
    }

    private static Map<String, Long> whole(RecordFields fields, String field, ChronoUnit unit) throws MalformedRecord {
        Map<String, Long> counts = fields.counts(field);
        for (var count : counts.entrySet()) {
            if (!isStart(count.getKey(), unit) || count.getValue() < 0) {
                throw new MalformedRecord(
                        "poll-counts: " + field + " has an entry that is no count of its unit of time");
            }
        }
        return counts;
    }

    private static boolean isStart(String name, ChronoUnit unit) {
        try {
            return Instant.parse(name).truncatedTo(unit).toString().equals(name);
        } catch (DateTimeException e) {
            return false;
        }
    }
}
