package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A dividend that the venue does not mark is booked 700 ms after the ordinary settlement of each midnight. */
class SpecialPaymentTest extends VenuePollerFixture {
    private static final long HOUR = 3_600_000;
    private static final long DIVIDEND_AFTER_MS = 700;
    private static final Pattern SPAN = Pattern.compile("from=(\\d+)&to=(\\d+)");

    /** Oldest first; the instants of all rows that the venue has. */
    private List<Long> booked() {
        var rows = new TreeMap<Long, Boolean>();
        for (long at = time.nowMs() / HOUR * HOUR; at > time.nowMs() - 40 * 24 * HOUR; at -= 8 * HOUR) {
            rows.put(at, false);
            if (at % (24 * HOUR) < 8 * HOUR) {
                rows.put(at + DIVIDEND_AFTER_MS, true);
            }
        }
        return List.copyOf(rows.headMap(time.nowMs(), true).keySet());
    }

    private FetchResult page(VenueRequest request, int pageRows) {
        var span = SPAN.matcher(request.url());
        assertTrue(span.find());
        long from = Long.parseLong(span.group(1));
        long to = Long.parseLong(span.group(2));
        return json(booked().stream()
                .filter(at -> at >= from && at <= to)
                .limit(pageRows)
                .map(at -> "{\"at\":%d,\"rate\":\"%s\"}"
                        .formatted(at, at % 60_000 == DIVIDEND_AFTER_MS ? "-0.0042" : "0.0001"))
                .collect(Collectors.joining(",", "{\"history\":[", "]}")));
    }

    private void read(int pageRows, Duration story) {
        symbols = List.of("AAPL");
        exchange = request -> request.name().startsWith("history_") ? page(request, pageRows) : null;
        VenueSpec spec = spec().limit("api.example.com", 6000, 60)
                .request(Request.get("rates", HOST + "rates"))
                .history(History.get(
                        "history_{}", HOST + "history?s={key}&from={from_ms}&to={to_ms}", Paging.NEWER, pageRows))
                .build();
        poll(spec, story);
    }

    /** Two rows a page: a page begins with the dividend. Ten: both rows are on one page. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10})
    void dividendIsNoSettlement(int pageRows) {
        read(pageRows, Duration.ofMinutes(30));

        assertTrue(settled.size() > 80, settled::toString);
        assertEquals(
                List.of(), settled.stream().filter(row -> row.endsWith("700")).toList());
        assertTrue(skippedSettlements.get("special_payment") >= 30, skippedSettlements::toString);
    }

    @Test
    void dividendAfterFollowUpIsNoSettlement() {
        read(1000, Duration.ofHours(30));

        assertEquals(
                List.of(), settled.stream().filter(row -> row.endsWith("700")).toList());
        assertFalse(newest.get("AAPL").toString().endsWith("700"));
    }
}
