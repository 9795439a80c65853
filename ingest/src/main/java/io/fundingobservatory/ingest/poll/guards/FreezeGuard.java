package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.topics.records.Quote;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out rows that are no longer live although the venue responds. A venue that has closed, or forgotten a contract, often keeps its
 * last values, with HTTP 200 and no error.
 *
 * <p>A row is out when its announced settlement passed more than an interval ago, an hour at least. It is out when its venue time has
 * not moved for ten minutes; only a newer time counts, because caches alternate between old copies. All rows of a venue are out when no
 * rate and no price of at least ten priced rows has moved for ten minutes. These durations are between observations, so a wrong clock of
 * ours freezes nothing. What moves again is in again at once.
 */
final class FreezeGuard {
    static final SkipReason FROZEN = SkipReason.of("frozen");
    static final long STANDSTILL_MS = Duration.ofMinutes(10).toMillis();

    /** Fewer rows with a price may all be unchanged because their markets are quiet or shut. */
    static final int PRICED_ROWS = 10;

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final BigDecimal MS_PER_HOUR = BigDecimal.valueOf(HOUR_MS);
    private static final long REMEMBERED_MS = Duration.ofDays(1).toMillis();

    /**
     * The newest row of a contract.
     *
     * @param venueTimeMs the newest venue time; null without one
     * @param movedMs when a row with it was first observed, epoch ms
     * @param values hash of its rate and prices
     * @param observedMs when it was last observed, epoch ms
     */
    private record Last(@Nullable Long venueTimeMs, long movedMs, int values, long observedMs) {}

    /** The rows that are live, and how many are out, by reason. */
    record Checked(List<Quote> live, Map<SkipReason, Long> skipped) {
        int count() {
            return skipped.values().stream().mapToInt(Long::intValue).sum();
        }
    }

    private final Map<String, Last> contracts = new HashMap<>();
    private long valuesMovedMs;
    private boolean still;

    Checked check(List<Quote> quotes) {
        if (quotes.isEmpty()) {
            return new Checked(quotes, Map.of());
        }
        compareValues(quotes);
        var live = new ArrayList<Quote>(quotes.size());
        var skipped = new TreeMap<SkipReason, Long>();
        for (Quote quote : quotes) {
            boolean stopped = hasTimeStopped(quote);
            if (isSettlementPassed(quote)) {
                skipped.merge(Skip.SETTLEMENT_PASSED, 1L, Long::sum);
            } else if (still || stopped) {
                skipped.merge(FROZEN, 1L, Long::sum);
            } else {
                live.add(quote);
            }
        }
        return new Checked(List.copyOf(live), Map.copyOf(skipped));
    }

    private static boolean isSettlementPassed(Quote quote) {
        Long next = quote.nextFundingMs();
        if (next == null) {
            return false;
        }
        BigDecimal hours = quote.intervalH();
        long interval = hours == null ? HOUR_MS : hours.multiply(MS_PER_HOUR).longValue();
        return quote.observedAtMs() - next > Math.max(interval, HOUR_MS);
    }

    /** Notes whether no value has moved for ten minutes; where too few rows have a price, only a move changes the verdict. */
    private void compareValues(List<Quote> quotes) {
        long newestMs = quotes.stream().mapToLong(Quote::observedAtMs).max().orElseThrow();
        contracts.values().removeIf(last -> newestMs - last.observedMs() > REMEMBERED_MS);
        int same = 0;
        int moved = 0;
        for (Quote quote : quotes) {
            Last last = contracts.get(quote.symbol());
            if (last != null && (quote.markPrice() != null || quote.indexPrice() != null)) {
                boolean equal = last.values() == values(quote);
                same += equal ? 1 : 0;
                moved += equal ? 0 : 1;
            }
        }
        if (moved > 0 || (same < PRICED_ROWS && !still)) {
            valuesMovedMs = newestMs;
        }
        still = newestMs - valuesMovedMs >= STANDSTILL_MS;
    }

    /** Whether the row's own time has not moved for ten minutes; false where it names none. */
    private boolean hasTimeStopped(Quote quote) {
        Last before = contracts.get(quote.symbol());
        Long time = quote.venueTimeMs();
        Long known = before == null ? null : before.venueTimeMs();
        long observed = quote.observedAtMs();
        if (before == null || known == null || time == null || time > known) {
            contracts.put(quote.symbol(), new Last(time, observed, values(quote), observed));
            return false;
        }
        contracts.put(quote.symbol(), new Last(known, before.movedMs(), values(quote), observed));
        return observed - before.movedMs() >= STANDSTILL_MS;
    }

    private static int values(Quote quote) {
        return Objects.hash(quote.rate(), quote.markPrice(), quote.indexPrice());
    }
}
