package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Shapes;
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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Earlier shapes are read until a day, and refused from then on. */
class EndOfEarlierShapesTest {
    private static final long REFUSED_AT = Instant.parse("2027-07-01T00:00:00Z").toEpochMilli();
    private static final long LAST_READ_AT = REFUSED_AT - 1;

    private static final String XT = """
            {"returnCode":0,"result":[{"symbol":"btc_usdt","productType":"perpetual","tradeSwitch":true,"isOpenApi":true}]}
            """;

    /** Responses without an interval, by venue. */
    private static final Map<String, Map<String, String>> WITHOUT_INTERVAL = Map.of(
            "bingx",
            Map.of("swap_premiumIndex", """
                    {"code":0,"data":[{"symbol":"BTC-USDT","lastFundingRate":"0.0001","nextFundingTime":1790006400000}]}
                    """),
            "delta",
            Map.of("tickers", """
                    {"success":true,"result":[{"symbol":"ETHUSD","funding_rate":"-0.0125","timestamp":1789136597460456}]}
                    """, "products", """
                    {"success":true,"result":[{"symbol":"ETHUSD","contract_type":"perpetual_futures","state":"live",
                      "notional_type":"inverse","underlying_asset":{"symbol":"ETH"},"quoting_asset":{"symbol":"USD"},
                      "settling_asset":{"symbol":"ETH"},"product_specs":null}]}
                    """),
            "htx",
            Map.of("linear_swap_batch_funding_rate", """
                    {"status":"ok","data":[{"funding_rate":"0.0001","contract_code":"BTC-USDT","funding_time":"1790006400000"}]}
                    """, "linear_swap_contract_info", """
                    {"status":"ok","data":[{"contract_code":"BTC-USDT","contract_status":1,"business_type":"swap",
                      "contract_type":"swap"}]}
                    """),
            "paradex",
            Map.of("markets_summary", """
                    {"results":[{"symbol":"BTC-USD-PERP","funding_rate":"0.0075","created_at":1790000000000}]}
                    """, "markets", """
                    {"results":[{"symbol":"BTC-USD-PERP","base_currency":"BTC","quote_currency":"USD","asset_kind":"PERP"}]}
                    """),
            "toobit",
            Map.of("fundingRate", """
                    [{"symbol":"BTC-SWAP-USDT","rate":"0.0001","nextFundingTime":"1790006400000"}]
                    """, "exchangeInfo", """
                    {"contracts":[{"symbol":"BTC-SWAP-USDT","status":"TRADING","underlying":"BTC"}]}
                    """),
            "whitebit",
            Map.of("futures", """
                    {"success":true,"result":[{"ticker_id":"ADA_PERP","stock_currency":"ADA","money_currency":"USDT",
                      "product_type":"Perpetual","funding_rate":"0.0001","next_funding_rate_timestamp":"1790006400000"}]}
                    """));

    @Test
    void earlierShapeIsReadUntilItsDay() {
        Shapes<String, Integer> shapes = Shapes.now((String text) -> text.length())
                .until("2027-07-01", text -> text.startsWith("x"), text -> -1)
                .until("2027-08-01", text -> text.endsWith("x"), text -> -2);
        assertEquals(-1, shapes.read("xx", LAST_READ_AT));
        assertEquals(-2, shapes.read("xx", REFUSED_AT));
        assertEquals(2, shapes.read("xy", REFUSED_AT));
        assertEquals(2, shapes.read("yy", LAST_READ_AT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bingx", "delta", "htx", "paradex", "toobit", "whitebit"})
    void missingIntervalEndsAsDocumentedOne(String venue) throws IOException {
        Quote last = read(venue, LAST_READ_AT).quotes().getFirst();
        assertEquals(0, new BigDecimal("8").compareTo(last.intervalH()), venue);
        assertEquals(IntervalSource.DOCUMENTED, last.intervalSource(), venue);
        assertNull(read(venue, REFUSED_AT).quotes().getFirst().intervalH(), venue);
    }

    private static Rows read(String venue, long readAtMs) throws IOException {
        var responses = new VenueResponses();
        for (var body : WITHOUT_INTERVAL.get(venue).entrySet()) {
            responses.add(body.getKey(), response(body.getValue(), readAtMs));
        }
        return read(Registry.find(venue), responses, readAtMs);
    }

    @Test
    void coinMarginedHtxHasNoIntervalYet() throws IOException {
        var responses = new VenueResponses()
                .add("swap_batch_funding_rate", response("""
                        {"status":"ok","data":[{"funding_rate":"0.0001","contract_code":"BTC-USD","funding_time":"1790006400000"}]}
                        """, REFUSED_AT))
                .add("swap_contract_info", response("""
                        {"status":"ok","data":[{"contract_code":"BTC-USD","contract_status":1}]}
                        """, REFUSED_AT));
        assertEquals(
                0,
                new BigDecimal("8")
                        .compareTo(read(new Htx(), responses, REFUSED_AT)
                                .quotes()
                                .getFirst()
                                .intervalH()));
    }

    @Test
    void lightersMarketWithoutTypeIsRefused() throws IOException {
        var responses = new VenueResponses()
                .add("funding-rates", response("""
                        {"code":200,"funding_rates":[{"market_id":1,"exchange":"lighter","symbol":"BTC","rate":0.000088}]}
                        """, REFUSED_AT))
                .add("orderBookDetails", response("""
                        {"code":200,"order_book_details":[{"symbol":"BTC","market_id":1,"status":"active"}]}
                        """, REFUSED_AT));
        assertEquals(1, read(new Lighter(), responses, LAST_READ_AT).quotes().size());
        assertEquals(
                List.of(new Rows.Skipped("BTC", Skip.NOT_PERPETUAL)),
                read(new Lighter(), responses, REFUSED_AT).skipped());
    }

    @Test
    void xtsBareListIsRefused() throws IOException {
        String rates = """
                [{"symbol":"btc_usdt","product_type":"PERPETUAL","funding_rate":"0.0001","collection_internal":8,
                  "next_funding_rate_timestamp":1790006400000}]
                """;
        var before = new VenueResponses()
                .add("cg_contracts", response(rates, LAST_READ_AT))
                .add("symbol_list", response(XT, LAST_READ_AT));
        assertEquals(1, read(new Xt(), before, LAST_READ_AT).quotes().size());
        var after = new VenueResponses()
                .add("cg_contracts", response(rates, REFUSED_AT))
                .add("symbol_list", response(XT, REFUSED_AT));
        assertEquals(
                "unreadable_result",
                assertThrows(Skip.class, () -> read(new Xt(), after, REFUSED_AT))
                        .reason());
    }

    @Test
    void phemexsOlderPricesAreRefused() throws IOException {
        var responses = new VenueResponses().add("ticker_24hr_all_v3", response("""
                        {"error":null,"result":[{"symbol":"BTCUSDT","fundingRateRr":"0.0001","markPriceRp":"64010.5",
                          "indexPriceRp":"64020.1"}]}
                        """, LAST_READ_AT));
        assertEquals(
                new BigDecimal("64010.5"),
                read(new Phemex(), responses, LAST_READ_AT).quotes().getFirst().markPrice());
        assertNull(read(new Phemex(), responses, REFUSED_AT).quotes().getFirst().markPrice());
    }

    @Test
    void wooxsFirstVersionIsRefused() throws IOException {
        var responses = new VenueResponses().add("fundingRate_v3", response("""
                        {"success":true,"rows":[{"symbol":"PERP_AAVE_USDT","est_funding_rate":-0.00003447,
                          "next_funding_time":1790006400000}],"timestamp":1790000000000}
                        """, LAST_READ_AT));
        assertEquals(1, read(new Woox(), responses, LAST_READ_AT).quotes().size());
        assertEquals(0, read(new Woox(), responses, REFUSED_AT).quotes().size());
    }

    private static Rows read(Venue venue, VenueResponses responses, long readAtMs) {
        var rows = new Rows(venue.spec(), readAtMs);
        venue.read(responses, rows);
        return rows;
    }

    private static Response response(String body, long readAtMs) throws IOException {
        return new Response("", JsonValue.parse(body.getBytes(StandardCharsets.UTF_8)), readAtMs);
    }
}
