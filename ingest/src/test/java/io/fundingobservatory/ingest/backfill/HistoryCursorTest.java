package io.fundingobservatory.ingest.backfill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.HistoryCursor.Endpoint;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.venues.Registry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which pages are requested, and from where a contract's history goes on. */
class HistoryCursorTest {
    private static final long HOUR_MS = 3_600_000;
    private static final long DAY_MS = 24 * HOUR_MS;
    private static final long NOW = 1_790_000_000_000L;
    private static final String URL = "https://api.example.com/history?from={from_ms}&to={to_ms}";

    private static HistoryCursor cursor(History history, long fromMs) {
        return new HistoryCursor(List.of(new Endpoint(history, "X")), fromMs, NOW);
    }

    private static Settlements page(String venue, String body, long readAtMs) throws IOException {
        Venue reader = Objects.requireNonNull(Registry.find(venue));
        var page = new Settlements(reader.spec(), "X", readAtMs);
        reader.readHistory(JsonValue.parse(body.getBytes(StandardCharsets.UTF_8)), page);
        return page;
    }

    /** Kraken lists the hour that runs. Looked at again after its end, that hour is the one settlement that is new. */
    @Test
    void readsRunningHourWhenOver() throws IOException {
        History kraken = Objects.requireNonNull(
                        Objects.requireNonNull(Registry.find("kraken")).spec().history())
                .getFirst();
        String body = """
                {"result":"success","serverTime":"%s","rates":[
                 {"timestamp":"2026-08-27T15:00:00Z","fundingRate":0.1,"relativeFundingRate":0.0000021},
                 {"timestamp":"2026-08-27T16:00:00Z","fundingRate":0.1,"relativeFundingRate":0.0000019},
                 {"timestamp":"2026-08-27T17:00:00Z","fundingRate":0.1,"relativeFundingRate":0.000001705329166667}%s]}
                """;
        long at1721 = Instant.parse("2026-08-27T17:21:56Z").toEpochMilli();
        var first = new HistoryCursor(List.of(new Endpoint(kraken, "PF_XBTUSD")), at1721 - DAY_MS, at1721);
        first.received(page("kraken", body.formatted("2026-08-27T17:21:56Z", ""), at1721));
        assertEquals(Instant.parse("2026-08-27T17:00:00Z").toEpochMilli(), first.newestMs());
        assertFalse(first.hasMore());

        long at1802 = Instant.parse("2026-08-27T18:02:00Z").toEpochMilli();
        var second = new HistoryCursor(
                List.of(new Endpoint(kraken, "PF_XBTUSD")), Objects.requireNonNull(first.newestMs()) + 1, at1802);
        Settlements read = page(
                "kraken",
                body.formatted(
                        "2026-08-27T18:02:00Z", ",{\"timestamp\":\"2026-08-27T18:00:00Z\",\"relativeFundingRate\":1}"),
                at1802);
        assertEquals(
                List.of(Instant.parse("2026-08-27T18:00:00Z").toEpochMilli()),
                read.settled().stream()
                        .map(s -> s.settledMs())
                        .filter(second::covers)
                        .toList());
    }

    /** Derive stamps an hour at its start: the one to come began at the newest settlement, and the running one is none yet. */
    @Test
    void findsHourThatBeganAtNewestSettlement() throws IOException {
        History derive = Objects.requireNonNull(
                        Objects.requireNonNull(Registry.find("derive")).spec().history())
                .getFirst();
        long newest = Instant.parse("2026-08-27T17:00:00Z").toEpochMilli();
        long at1802 = Instant.parse("2026-08-27T18:02:00Z").toEpochMilli();
        var cursor = new HistoryCursor(List.of(new Endpoint(derive, "ETH-PERP")), newest + 1, at1802);
        String posted = Objects.requireNonNull(cursor.request().body());
        assertTrue(posted.contains("\"start_timestamp\":" + (newest + 1 - HOUR_MS)), posted);
        assertTrue(posted.contains("\"end_timestamp\":" + at1802), posted);
        Settlements read = page("derive", """
                {"result":{"funding_rate_history":[{"timestamp":%d,"funding_rate":"0.0000021"},
                 {"timestamp":%d,"funding_rate":"0.0000019"}]}}
                """.formatted(newest, newest + HOUR_MS), at1802);
        assertEquals(
                List.of("2026-08-27T18:00:00Z 0.0000021"),
                read.settled().stream()
                        .map(s -> Instant.ofEpochMilli(s.settledMs()) + " "
                                + s.rate().toPlainString())
                        .toList());
    }

    @Test
    void ignoresStoredInstantInFuture() {
        HistoryCursor misled = cursor(History.get("history", URL, Paging.NEWER, 500), NOW + 40 * 60_000 + 1);

        assertEquals(
                "https://api.example.com/history?from=" + (NOW - 31 * DAY_MS) + "&to=" + NOW,
                misled.request().url());
        assertTrue(misled.covers(NOW - DAY_MS));
    }

    @Test
    void noRequestSpansMoreThanTheExchangeTakes() throws IOException {
        for (Paging paging : List.of(Paging.OLDER, Paging.NEWER, Paging.NONE)) {
            HistoryCursor cursor =
                    cursor(History.get("history", URL, paging, 1000).longest(Duration.ofDays(7)), NOW - 31 * DAY_MS);
            var spans = new ArrayList<long[]>();
            while (cursor.hasMore()) {
                VenueRequest request = cursor.request();
                String[] numbers =
                        request.url().replaceAll("[^0-9=]", "").substring(1).split("=");
                spans.add(new long[] {Long.parseLong(numbers[0]), Long.parseLong(numbers[1])});
                cursor.received(page("weex", "[]", NOW));
            }
            spans.sort((a, b) -> Long.compare(a[0], b[0]));
            assertEquals(5, spans.size(), paging + ": 31 days are five weeks");
            assertEquals(NOW - 31 * DAY_MS, spans.getFirst()[0]);
            assertEquals(NOW, spans.getLast()[1]);
            for (int i = 0; i < spans.size(); i++) {
                assertTrue(spans.get(i)[1] - spans.get(i)[0] <= 7 * DAY_MS);
                assertTrue(i == 0 || spans.get(i - 1)[1] + 1 == spans.get(i)[0], "no gap, nothing twice");
            }
        }
    }

    @Test
    void rowsThatCostAreCountedByTheSpan() {
        History history = History.post("history", URL, "{}", Paging.NEWER, 500).weight(20, 20);

        assertEquals(45, cursor(history, NOW - 31 * DAY_MS).request().weight(), "500 rows at most");
        assertEquals(21, cursor(history, NOW - HOUR_MS).request().weight(), "the newest hour");
        assertEquals(9, cursor(history.weight(9), NOW - 31 * DAY_MS).request().weight());
    }
}
