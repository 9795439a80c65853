package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.polling.CommonFactor.Finding;
import io.fundingobservatory.topics.Quote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The latest 8-hour rates of the exchanges that this process polls, side by side and beside their own of the poll before, so that
 * one that is off by a factor stands out. A process that polls only a few exchanges still sees one that changes before its eyes.
 */
public final class RateBoard {
    private static final long COUNTS_FOR_MS = Duration.ofMinutes(10).toMillis();

    /** After a day, what an exchange said before it jumped is no measure any more. */
    private static final long HELD_FOR_MS = Duration.ofDays(1).toMillis();

    private record Sheet(Map<String, Double> rates, long atMs) {
        boolean isWithin(long durationMs, long nowMs) {
            return Math.abs(nowMs - atMs) <= durationMs;
        }
    }

    /** What an exchange said before all its figures jumped. */
    private record Held(Sheet before, Finding jump) {}

    private final Map<String, Sheet> sheets = new ConcurrentHashMap<>();
    private final Map<String, Held> held = new ConcurrentHashMap<>();

    /** Puts a poll up next to the others; what is off by a common factor is taken down instead, so that it misleads no comparison. */
    @Nullable
    Finding compare(String venue, List<Quote> quotes, long nowMs) {
        return compare(venue, EightHourRates.byAsset(quotes), nowMs);
    }

    @Nullable
    Finding compare(String venue, Map<String, Double> rates, long nowMs) {
        var others = new ArrayList<Map<String, Double>>();
        sheets.forEach((other, sheet) -> {
            if (!other.equals(venue) && sheet.isWithin(COUNTS_FOR_MS, nowMs)) {
                others.add(sheet.rates());
            }
        });
        Finding jump = jump(venue, rates, nowMs);
        Finding finding = jump == null ? CommonFactor.find(rates, others) : jump;
        if (finding == null) {
            sheets.put(venue, new Sheet(rates, nowMs));
        } else {
            sheets.remove(venue);
        }
        return finding;
    }

    private @Nullable Finding jump(String venue, Map<String, Double> rates, long nowMs) {
        Held since = held.get(venue);
        if (since == null) {
            Sheet before = sheets.get(venue);
            if (before == null || !before.isWithin(COUNTS_FOR_MS, nowMs)) {
                return null;
            }
            Finding jump = CommonFactor.jump(rates, before.rates());
            if (jump != null) {
                held.put(venue, new Held(before, jump));
            }
            return jump;
        }
        if (since.before().isWithin(HELD_FOR_MS, nowMs)
                && CommonFactor.persists(since.jump(), rates, since.before().rates())) {
            return since.jump();
        }
        held.remove(venue);
        return null;
    }
}
