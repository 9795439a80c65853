package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.ReasonText;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settlements in one response of settled history, and the rows that were left out, each with its reason.
 * Rows of future settlements, with which some responses begin, do not count.
 *
 * <p>A special payment, such as a share's dividend, is not a settlement. A venue's own mark is {@link
 * Skip#SPECIAL_PAYMENT}. Without one, a row less than two minutes after the contract's newest settlement is special.
 * Dividends are booked just after the ordinary payment, and no two settlements are that close.
 */
public final class Settlements {
    /** The longest interval of a venue. A time further ahead is not a future settlement but a misread time. */
    private static final long FURTHEST_AHEAD_MS = Duration.ofDays(7).toMillis();

    private static final long SPECIAL_WITHIN_MS = Duration.ofMinutes(2).toMillis();

    private final String venue;
    private final String symbol;
    private final long readAtMs;
    private final Map<Payment, SettledRate> settled = new LinkedHashMap<>();
    private final Set<Payment> contradicted = new HashSet<>();
    private final List<Rows.Skipped> skipped = new ArrayList<>();
    private final List<Rows.Skipped> marked = new ArrayList<>();
    private Function<String, @Nullable Long> earlier = symbol -> null;
    private int rowCount;
    private @Nullable String next;

    /** What a payment is known by. */
    public record Payment(String symbol, long settledMs) {}

    public Settlements(VenueSpec spec, String symbol, long readAtMs) {
        this.venue = spec.id();
        this.symbol = symbol;
        this.readAtMs = readAtMs;
    }

    /** Names the newest settlement of a contract on earlier pages and in earlier readings, epoch ms; null where none is known. */
    public Settlements after(Function<String, @Nullable Long> newestMs) {
        earlier = newestMs;
        return this;
    }

    /** The contract that was requested. */
    public String symbol() {
        return symbol;
    }

    /** Reads each row; one that throws {@link Skip} is left out and counted. */
    public void each(Iterable<JsonValue> rows, Function<JsonValue, Settled> reader) {
        each(rows, row -> symbol, reader);
    }

    /** Reads each row of a response about several contracts. */
    public void each(
            Iterable<JsonValue> rows, Function<JsonValue, String> symbolOf, Function<JsonValue, Settled> reader) {
        for (JsonValue row : rows) {
            rowCount++;
            String of = symbol;
            try {
                of = symbolOf.apply(row);
                add(reader.apply(row).asSettledRate(venue, of, readAtMs));
            } catch (Skip skip) {
                if (skip.reason().equals(Skip.SPECIAL_PAYMENT)) {
                    marked.add(new Rows.Skipped(of, Skip.SPECIAL_PAYMENT));
                } else if (!skip.reason().equals(Skip.NOT_SETTLED_YET)) {
                    skipped.add(new Rows.Skipped(of, skip.reason()));
                }
            }
        }
    }

    /**
     * Adds a settlement. Two equal rows are one settlement. Two different rows of one instant are
     * contradicted, and neither counts.
     */
    private void add(SettledRate rate) {
        long aheadMs = rate.settledMs() - readAtMs;
        if (aheadMs > FURTHEST_AHEAD_MS) {
            throw Skip.unreadable("settled_ms");
        }
        Skip.unless(aheadMs <= 0, Skip.NOT_SETTLED_YET);
        var payment = new Payment(rate.symbol(), rate.settledMs());
        SettledRate first = settled.putIfAbsent(payment, rate);
        if (first != null && !first.equals(rate) && contradicted.add(payment)) {
            skipped.add(new Rows.Skipped(rate.symbol(), Skip.CONTRADICTED));
        }
        if (contradicted.contains(payment)) {
            settled.remove(payment);
        }
    }

    /** Names the next page, where the exchange's responses have one: the text that replaces {@code {next}} in the URL. */
    public void next(@Nullable String page) {
        next = page;
    }

    /** The next page that the response names; null when it is the last one or pages are found otherwise. */
    public @Nullable String next() {
        return next;
    }

    /** Number of rows of the response, skipped ones included: after a full page the next one is requested. */
    public int rows() {
        return rowCount;
    }

    /** Those of the contract that was requested: an exchange may respond to an unknown key with the rows of another. */
    public List<SettledRate> own() {
        return settled().stream().filter(rate -> rate.symbol().equals(symbol)).toList();
    }

    public List<SettledRate> settled() {
        Set<Payment> special = special();
        return settled.entrySet().stream()
                .filter(entry -> !special.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Rows that are payments other than funding, by the venue's mark or by their instant. */
    public List<Rows.Skipped> specialPayments() {
        var all = new ArrayList<>(marked);
        special().forEach(payment -> all.add(new Rows.Skipped(payment.symbol(), Skip.SPECIAL_PAYMENT)));
        return List.copyOf(all);
    }

    /** The instants of unmarked special payments. */
    private Set<Payment> special() {
        var special = new HashSet<Payment>();
        var newest = new HashMap<String, Long>();
        settled.keySet().stream()
                .sorted(Comparator.comparingLong(Payment::settledMs))
                .forEach(payment -> {
                    long at = payment.settledMs();
                    Long known = earlier.apply(payment.symbol());
                    Long before = newest.get(payment.symbol());
                    if (known != null && known <= at && (before == null || known > before)) {
                        before = known;
                    }
                    if (before != null && at > before && at - before < SPECIAL_WITHIN_MS) {
                        special.add(payment);
                    } else {
                        newest.put(payment.symbol(), at);
                    }
                });
        return special;
    }

    /** The most frequent reason when every row was left out; null when a row could be read or none was there. */
    public @Nullable SkipReason whyNone() {
        return settled.isEmpty()
                ? ReasonText.mostFrequent(
                        skipped.stream().map(Rows.Skipped::reason).toList())
                : null;
    }

    /** Rows that could not be read. */
    public List<Rows.Skipped> skipped() {
        return List.copyOf(skipped);
    }

    /**
     * One partial settlement.
     *
     * @param settledMs as published, epoch ms; a row without one is skipped
     * @param rate the number in {@code unit}
     * @param unit its unit
     * @param intervalH the interval that the settlement closed, hours; null when not published
     */
    public record Settled(
            @Nullable Long settledMs,
            BigDecimal rate,
            RateUnit unit,
            @Nullable BigDecimal intervalH) {

        /** A fraction of notional per settlement. */
        public static Settled fraction(@Nullable Long settledMs, BigDecimal rate) {
            return of(settledMs, rate, RateUnit.FRACTION);
        }

        public static Settled of(@Nullable Long settledMs, BigDecimal rate, RateUnit unit) {
            return new Settled(settledMs, rate, unit, null);
        }

        public Settled interval(@Nullable BigDecimal hours) {
            return new Settled(settledMs, rate, unit, hours);
        }

        /** The interval that the settlement closed, in seconds. */
        public Settled intervalSeconds(@Nullable BigDecimal seconds) {
            return interval(seconds == null ? null : seconds.divide(BigDecimal.valueOf(3_600), MathContext.DECIMAL64));
        }

        SettledRate asSettledRate(String venue, String symbol, long readAtMs) {
            if (settledMs == null) {
                throw Skip.unreadable("settled_ms");
            }
            return new SettledRate(venue, symbol, settledMs, rate, unit, null, intervalH, null, readAtMs);
        }
    }
}
