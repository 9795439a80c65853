package io.fundingobservatory.ingest.spec;

import com.google.errorprone.annotations.CompileTimeConstant;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What one reading of an exchange yields: quotes, and the rows that were left out, each with its reason. */
public final class Rows {
    private final String venue;
    private final RateKind usualKind;
    private final long readAtMs;
    private final Map<String, Quote> quotes = new LinkedHashMap<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private final Set<String> contradicted = new HashSet<>();

    /** A row that was left out: its symbol, {@code ?} when it names none, and the reason. */
    public record Skipped(String symbol, SkipReason reason) {}

    public Rows(VenueSpec spec, long readAtMs) {
        this.venue = spec.id();
        this.usualKind = spec.rateKind();
        this.readAtMs = readAtMs;
    }

    /** When the oldest response with rates was read, epoch ms UTC. */
    public long readAtMs() {
        return readAtMs;
    }

    /** Reads each row of a list with its symbol in a field. A row that throws {@link Skip} is left out and counted. */
    public void each(
            Iterable<JsonValue> rows,
            @CompileTimeConstant String symbolField,
            Function<JsonValue, QuoteBuilder> reader) {
        each(rows, row -> row.text(symbolField), (symbol, row) -> reader.apply(row));
    }

    /** Reads each row of a list; the symbol is computed first, so that a row that is left out can be named. */
    public void each(
            Iterable<JsonValue> rows,
            Function<JsonValue, String> symbolOf,
            BiFunction<String, JsonValue, QuoteBuilder> reader) {
        for (JsonValue row : rows) {
            String symbol = "?";
            try {
                symbol = symbolOf.apply(row);
                add(reader.apply(symbol, row).asQuote(venue, symbol, usualKind, readAtMs));
            } catch (Skip skip) {
                skipped.add(new Skipped(symbol, skip.reason()));
            }
        }
    }

    /** Reads each entry of a map from symbol to row. */
    public void each(Map<String, JsonValue> rowsBySymbol, BiFunction<String, JsonValue, QuoteBuilder> reader) {
        rowsBySymbol.forEach((symbol, row) -> each(List.of(row), r -> symbol, reader));
    }

    private void add(Quote quote) {
        Quote first = quotes.putIfAbsent(quote.symbol(), quote);
        if (first != null && !first.equals(quote) && contradicted.add(quote.symbol())) {
            skipped.add(new Skipped(quote.symbol(), Skip.CONTRADICTED));
        }
        if (contradicted.contains(quote.symbol())) {
            quotes.remove(quote.symbol());
        }
    }

    public List<Quote> quotes() {
        return List.copyOf(quotes.values());
    }

    public List<Skipped> skipped() {
        return List.copyOf(skipped);
    }

    public Map<SkipReason, Long> skippedByReason() {
        var counts = new TreeMap<SkipReason, Long>();
        skipped.forEach(s -> counts.merge(s.reason(), 1L, Long::sum));
        return counts;
    }
}
