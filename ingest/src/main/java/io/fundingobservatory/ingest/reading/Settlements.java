package io.fundingobservatory.ingest.reading;

import io.fundingobservatory.topics.RateUnit;
import io.fundingobservatory.topics.SettledRate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one answer of settled history yields, and the rows that were left out, each with its reason. */
public final class Settlements {
    private final String venue;
    private final String symbol;
    private final long readAtMs;
    private final Map<Instant, SettledRate> settled = new LinkedHashMap<>();
    private final Set<Instant> contradicted = new HashSet<>();
    private final List<Rows.Skipped> skipped = new ArrayList<>();

    private record Instant(String symbol, long settledMs) {}

    /** For the answer about one contract. */
    public Settlements(Header header, String symbol, long readAtMs) {
        this.venue = header.id();
        this.symbol = symbol;
        this.readAtMs = readAtMs;
    }

    /** The contract that was asked for. */
    public String symbol() {
        return symbol;
    }

    /** Reads each row; one that throws {@link Skip} is left out and counted. */
    public void each(Iterable<Node> rows, Function<Node, Settled> reader) {
        each(rows, row -> symbol, reader);
    }

    /** Reads each row of an answer about several contracts. */
    public void each(Iterable<Node> rows, Function<Node, String> symbolOf, Function<Node, Settled> reader) {
        for (Node row : rows) {
            String of = symbol;
            try {
                of = symbolOf.apply(row);
                add(reader.apply(row).asSettledRate(venue, of, readAtMs));
            } catch (Skip skip) {
                if (!skip.reason().equals(Skip.NOT_SETTLED_YET)) {
                    skipped.add(new Rows.Skipped(of, skip.reason()));
                }
            }
        }
    }

    /** What is told twice is one settlement, what is told twice and differently is none. */
    private void add(SettledRate rate) {
        var instant = new Instant(rate.symbol(), rate.settledMs());
        SettledRate first = settled.putIfAbsent(instant, rate);
        if (first != null && !first.equals(rate) && contradicted.add(instant)) {
            skipped.add(new Rows.Skipped(rate.symbol(), Skip.CONTRADICTED));
        }
        if (contradicted.contains(instant)) {
            settled.remove(instant);
        }
    }

    /** An instant that has passed; a row that is still to come, which some answers begin with, is left out and not counted. */
    public @Nullable Long passed(@Nullable Long settledMs) {
        if (settledMs != null && settledMs > readAtMs) {
            throw Skip.because(Skip.NOT_SETTLED_YET);
        }
        return settledMs;
    }

    public List<SettledRate> settled() {
        return List.copyOf(settled.values());
    }

    public List<Rows.Skipped> skipped() {
        return List.copyOf(skipped);
    }

    /**
     * One settlement in the making.
     *
     * @param settledMs as published, epoch ms; a row without one is skipped
     * @param rate the figure in {@code unit}
     * @param unit its unit
     * @param rateHours hours that the figure covers; null: the interval that the settlement closed
     * @param intervalH that interval in hours; null when not published
     * @param referencePrice what an absolute figure is divided or multiplied by; null for fractions and percent
     */
    public record Settled(
            @Nullable Long settledMs,
            BigDecimal rate,
            RateUnit unit,
            @Nullable BigDecimal rateHours,
            @Nullable BigDecimal intervalH,
            @Nullable BigDecimal referencePrice) {

        /** A fraction of notional per settlement. */
        public static Settled fraction(@Nullable Long settledMs, BigDecimal rate) {
            return of(settledMs, rate, RateUnit.FRACTION);
        }

        public static Settled of(@Nullable Long settledMs, BigDecimal rate, RateUnit unit) {
            return new Settled(settledMs, rate, unit, null, null, null);
        }

        /** The figure covers these hours, which is not what the settlement charges. */
        public Settled coversHours(BigDecimal hours) {
            return new Settled(settledMs, rate, unit, hours, intervalH, referencePrice);
        }

        public Settled interval(@Nullable BigDecimal hours) {
            return new Settled(settledMs, rate, unit, rateHours, hours, referencePrice);
        }

        /** The interval that the settlement closed, in seconds. */
        public Settled intervalSeconds(@Nullable BigDecimal seconds) {
            return interval(seconds == null ? null : seconds.divide(BigDecimal.valueOf(3_600), MathContext.DECIMAL64));
        }

        public Settled at(@Nullable BigDecimal price) {
            return new Settled(settledMs, rate, unit, rateHours, intervalH, price);
        }

        SettledRate asSettledRate(String venue, String symbol, long readAtMs) {
            if (settledMs == null) {
                throw Skip.unreadable("settled_ms");
            }
            return new SettledRate(
                    venue, symbol, settledMs, rate, unit, rateHours, intervalH, referencePrice, readAtMs);
        }
    }
}
