package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bodies in the shape of earlier years, and bodies without their instrument list: the reader reads what they
 * contain, no more.
 */
class EarlierShapesTest {
    private static final long READ_AT = 1_790_000_000_000L;

    @Test
    void readsWooxOf2022WithoutInterval() throws IOException {
        Quote quote = only(read(new Woox(), new VenueResponses().add("fundingRate_v3", response("""
                {"success":true,"rows":[{"symbol":"PERP_AAVE_USDT","est_funding_rate":-0.00003447,
                  "est_funding_rate_timestamp":1653633959001,"last_funding_rate":-0.00002094,
                  "last_funding_rate_timestamp":1653631200000,"next_funding_time":1653634800000}],"timestamp":1653633985646}
                """))));

        assertEquals(new BigDecimal("-0.00003447"), quote.rate());
        assertHours("1", quote);
        assertEquals(IntervalSource.ANNOUNCED_SETTLEMENTS, quote.intervalSource());
        assertEquals(1653634800000L, quote.nextFundingMs());
    }

    @Test
    void paradexBefore2026HadOnePeriod() throws IOException {
        var summary = response("""
                {"results":[{"symbol":"BTC-USD-PERP","mark_price":"1","underlying_price":"1","funding_rate":"0.0075","created_at":1718000000000}]}
                """);
        var markets = response("""
                {"results":[{"symbol":"BTC-USD-PERP","base_currency":"BTC","quote_currency":"USD","asset_kind":"PERP"}]}
                """);
        assertHours(
                "8",
                only(read(
                        new Paradex(),
                        new VenueResponses().add("markets_summary", summary).add("markets", markets))));
        // without its list it is not known which period the rate is for
        assertNull(only(read(new Paradex(), new VenueResponses().add("markets_summary", summary)))
                .intervalH());
    }

    @Test
    void hitbtcWithoutItsListGoesByTheName() throws IOException {
        Rows rows = read(new Hitbtc(), new VenueResponses().add("futures_info", response("""
                {"SOLUSDT_PERP":{"mark_price":"1","index_price":"1","funding_rate":"0.0001",
                  "next_funding_time":"2021-07-21T16:00:00.000Z","timestamp":"2021-07-21T09:48:37.235Z"},
                 "OLDUSDT_PERP":{"mark_price":"1","index_price":"1","funding_rate":"0.0001",
                  "next_funding_time":"2021-06-21T16:00:00.000Z","timestamp":"2021-07-21T09:48:37.235Z"}}
                """)));

        assertEquals("SOL", only(rows).base());
        assertEquals("USDT", only(rows).quote());
        assertEquals(List.of(new Rows.Skipped("OLDUSDT_PERP", Skip.NOT_TRADING)), rows.skipped());
    }

    /** A settlement of 08:00, the one before it 8 hours earlier, read at one instant and looked at together with rates of another. */
    @ParameterizedTest(name = "read at {0}, at {1} with the next one at {2}: {3}")
    @CsvSource({
        // within the hour of the reading: the newest one is the last
        "2026-09-21T08:05:00Z, 2026-09-21T08:40:00Z, 2026-09-21T16:00:00Z, 8",
        "2026-09-21T08:05:00Z, 2026-09-21T08:40:00Z, 2026-09-21T12:00:00Z, 4",
        "2026-09-21T08:05:00Z, 2026-09-21T07:40:00Z, 2026-09-21T08:00:00Z,",
        // an hour later the gap stands in, where it leads back to the newest one or to the hour that has passed
        "2026-09-21T08:05:00Z, 2026-09-21T09:10:00Z, 2026-09-21T16:00:00Z, 8",
        "2026-09-21T08:05:00Z, 2026-09-21T09:10:00Z, 2026-09-21T12:00:00Z,",
        "2026-09-21T15:30:00Z, 2026-09-21T16:10:00Z, 2026-09-22T00:00:00Z, 8",
        "2026-09-21T15:30:00Z, 2026-09-21T16:10:00Z, 2026-09-21T20:00:00Z,",
        "2026-09-21T15:30:00Z, 2026-09-21T16:10:00Z, 2026-09-22T08:00:00Z,",
        // 8 hours became 4 at 12:00: every second settlement fits a gap of 8, so that it says nothing for long
        "2026-09-21T08:05:00Z, 2026-09-21T12:10:00Z, 2026-09-21T16:00:00Z,",
        "2026-09-21T08:05:00Z, 2026-09-21T20:10:00Z, 2026-09-22T00:00:00Z,",
        // read before the settlement of that very hour stood in the list
        "2026-09-21T16:00:05Z, 2026-09-21T16:10:00Z, 2026-09-22T00:00:00Z, 8",
        "2026-09-21T16:00:05Z, 2026-09-21T16:10:00Z, 2026-09-21T20:00:00Z,",
    })
    void pionexDerivesIntervalAndDoubtsChangedOne(String readAt, String at, String next, String hours)
            throws IOException {
        String history = """
                {"data":{"rates":[{"fundingTime":%d},{"fundingTime":%d}]},"result":true,"timestamp":%d}
                """.formatted(ms("2026-09-21T08:00:00Z"), ms("2026-09-21T00:00:01Z"), ms(readAt));
        Quote quote = only(read(
                new Pionex(),
                new VenueResponses()
                        .add("indexes", response("""
                                {"data":{"indexes":[{"symbol":"BTC_USDT_PERP","nextFundingRate":"0.0001","nextFundingTime":%d,
                                  "updateTime":%d}]},"result":true}
                                """.formatted(ms(next), ms(at))))
                        .add("fundingRates_{}", new Response("BTC_USDT_PERP", node(history), READ_AT))));

        assertHours(hours, quote);
    }

    private static void assertHours(String expected, Quote quote) {
        if (expected == null) {
            assertNull(quote.intervalH());
            assertNull(quote.intervalSource());
        } else {
            assertEquals(0, new BigDecimal(expected).compareTo(quote.intervalH()), () -> quote.intervalH() + " h");
        }
    }

    private static long ms(String instant) {
        return Instant.parse(instant).toEpochMilli();
    }

    private static Quote only(Rows rows) {
        assertEquals(1, rows.quotes().size(), () -> rows.skipped().toString());
        return rows.quotes().getFirst();
    }

    private static Rows read(Venue venue, VenueResponses responses) {
        var rows = new Rows(venue.spec(), READ_AT);
        venue.read(responses, rows);
        return rows;
    }

    private static Response response(String body) throws IOException {
        return new Response("", node(body), READ_AT);
    }

    private static JsonValue node(String body) throws IOException {
        return JsonValue.parse(body.getBytes(StandardCharsets.UTF_8));
    }
}
