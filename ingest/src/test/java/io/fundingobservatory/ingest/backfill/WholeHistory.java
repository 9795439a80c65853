package io.fundingobservatory.ingest.backfill;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.HistoryCursor.Endpoint;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueResponses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one contract's settled history to its end, page by page as the cursor says. */
public final class WholeHistory {
    private static final int MOST_REQUESTS = 120;

    /** The exchange: recorded or authored bodies. */
    public interface Exchange {
        /** Null for what it refuses. */
        @Nullable
        JsonValue response(VenueRequest request) throws IOException;
    }

    private WholeHistory() {}

    /** Every page that got a response, in the order in which they were requested. */
    public static List<Settlements> of(
            Venue venue, VenueResponses responses, String symbol, long fromMs, long nowMs, Exchange exchange)
            throws IOException {
        var endpoints = Endpoint.bySymbol(Objects.requireNonNull(venue.spec().history()), Set.of(symbol), responses);
        return read(
                venue,
                symbol,
                new HistoryCursor(endpoints.getOrDefault(symbol, List.of()), fromMs, nowMs),
                nowMs,
                exchange);
    }

    static List<Settlements> read(Venue venue, String symbol, HistoryCursor cursor, long nowMs, Exchange exchange)
            throws IOException {
        var pages = new ArrayList<Settlements>();
        for (int requests = 0; cursor.hasMore(); requests++) {
            assertTrue(
                    requests < MOST_REQUESTS,
                    () -> "no end of pages: " + cursor.request().url());
            JsonValue body = exchange.response(cursor.request());
            if (body == null) {
                cursor.refused();
                continue;
            }
            Long newest = cursor.newestMs();
            var page = new Settlements(venue.spec(), symbol, nowMs).after(s -> newest);
            venue.readHistory(body, page);
            pages.add(page);
            cursor.received(page);
        }
        return pages;
    }
}
