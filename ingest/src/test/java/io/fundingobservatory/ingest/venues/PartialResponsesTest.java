package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Exchanges whose responses overlap: what is still read when one of them is missing. Nothing is made up for the rest. */
class PartialResponsesTest {
    private static final long READ_AT = 1_790_000_000_000L;

    private static final String ORDERLY_RATES = """
            {"success":true,"data":{"rows":[
              {"symbol":"PERP_ETH_USDC","est_funding_rate":-0.0002,"last_funding_rate_timestamp":1789977600000,"next_funding_time":1790006400000},
              {"symbol":"PERP_HYPE_USDC","est_funding_rate":5e-05,"last_funding_rate_timestamp":1789992000000,"next_funding_time":1790006400000},
              {"symbol":"PERP_NEW_USDC","est_funding_rate":0.0001,"next_funding_time":1790006400000},
              {"symbol":"PERP_OLD_USDC","est_funding_rate":0.0001,"last_funding_rate_timestamp":1789977600000,"next_funding_time":1790006400000}]}}
            """;

    @Test
    void orderlyWithoutPricesHasRatesAndIntervals() throws IOException {
        Rows rows = read(new Orderly(), new VenueResponses().add("funding_rates", response(ORDERLY_RATES)));

        assertEquals(4, rows.quotes().size());
        Quote eth = rows.quotes().getFirst();
        assertEquals(new BigDecimal("-0.0002"), eth.rate());
        assertEquals(0, new BigDecimal("8").compareTo(eth.intervalH()));
        assertEquals(IntervalSource.ANNOUNCED_SETTLEMENTS, eth.intervalSource());
        assertNull(eth.markPrice());
        assertNull(eth.indexPrice());
        assertEquals(0, new BigDecimal("4").compareTo(rows.quotes().get(1).intervalH()));
        assertNull(rows.quotes().get(2).intervalH(), "no last settlement: not 8 by habit");
    }

    @Test
    void orderlyInstrumentListMarksDeadContracts() throws IOException {
        Rows rows = read(
                new Orderly(),
                new VenueResponses()
                        .add("funding_rates", response(ORDERLY_RATES))
                        .add("info", response("""
                                {"success":true,"data":{"rows":[{"symbol":"PERP_OLD_USDC","funding_period":8,"status":"SUSPENDED"}]}}
                                """)));

        assertEquals(3, rows.quotes().size());
        assertEquals(List.of(new Rows.Skipped("PERP_OLD_USDC", Skip.NOT_TRADING)), rows.skipped());
    }

    /** The list's own rate is up to an hour old: it replaces no row that is missing. */
    @Test
    void pacificaWithoutPricesHasNoRows() throws IOException {
        Rows rows = read(
                new Pacifica(),
                new VenueResponses()
                        .add("info_prices", response("{\"success\":true,\"data\":[]}"))
                        .add("info", response("""
                                {"success":true,"data":[{"symbol":"BTC","funding_rate":"0.00000475","next_funding_rate":"0.00001"}]}
                                """)));

        assertEquals(List.of(), rows.quotes());
    }

    @Test
    void pacificasSpotPairsAreDetectedByTheirName() throws IOException {
        Rows rows = read(new Pacifica(), new VenueResponses().add("info_prices", response("""
                                {"success":true,"data":[
                                  {"symbol":"XPL","funding":"0.00001","next_funding":"0.00002211","mark":"0.7431","oracle":"0.7429","timestamp":1789999999000},
                                  {"symbol":"SOL-USDC","funding":"0","next_funding":"0","mark":"100.1","oracle":"100.1","timestamp":1789999999000}]}
                                """)));

        assertEquals(List.of("XPL"), rows.quotes().stream().map(Quote::symbol).toList());
        assertEquals(List.of(new Rows.Skipped("SOL-USDC", Skip.NOT_PERPETUAL)), rows.skipped());
    }

    @Test
    void publishesNothingWithoutInstrumentList() throws IOException {
        assertTrue(read(new Lighter(), new VenueResponses().add("funding-rates", response("""
                        {"code":200,"funding_rates":[{"market_id":1,"exchange":"lighter","symbol":"BTC","rate":0.0001}]}
                        """)))
                .quotes()
                .isEmpty());
        assertTrue(read(new Bluefin(), new VenueResponses().add("tickers", response("""
                        [{"symbol":"BTC-PERP","estimatedFundingRateE9":"12500","markPriceE9":"64009125000000"}]
                        """)))
                .quotes()
                .isEmpty());
        assertTrue(read(new Aevo(), new VenueResponses().add("coingecko-statistics", response("""
                        [{"ticker_id":"BTC-PERP","funding_rate":"0.00001","next_funding_rate_timestamp":"1790002800"}]
                        """)))
                .quotes()
                .isEmpty());
    }

    @Test
    void errorsInsideSuccessCountAsFailures() throws IOException {
        assertNotNull(new Edgex().error(node("{\"code\":\"GATEWAY_INTERNAL_ERROR\",\"data\":null,\"msg\":\"x\"}")));
        assertNull(new Edgex().error(node("{\"code\":\"SUCCESS\",\"data\":[]}")));
        assertNotNull(new Hibachi().error(node("{\"message\":\"maintenance\"}")));
        assertNull(new Hibachi().error(node("{\"data\":[],\"pagination\":{\"limit\":100,\"offset\":0}}")));
        assertNotNull(new Bluefin().error(node("{\"errorCode\":\"X\",\"message\":\"y\",\"details\":null}")));
        assertNull(new Bluefin().error(node("[]")));
    }

    /** The forecast is blank in the minute of a settlement; one that is absent, or blank later, may be another field now. */
    @Test
    void edgexBlankForecastIsPassedSettlement() throws IOException {
        long settledMs = READ_AT - 30_000;
        String blank = "\"forecastFundingRate\":\"\",";
        assertEquals(Skip.SETTLEMENT_PASSED, edgexReason(blank, settledMs));
        assertEquals(Skip.NO_FUNDING_RATE, edgexReason("", settledMs));
        assertEquals(Skip.NO_FUNDING_RATE, edgexReason(blank, settledMs - 3_600_000));
    }

    private static String edgexReason(String forecast, long settledMs) throws IOException {
        String list = """
                {"code":"SUCCESS","data":{
                  "contractList":[{"contractId":"30000001","contractName":"BTCUSDC","baseCoinId":"1","quoteCoinId":"2",
                    "enableTrade":true,"enableOpenPosition":true,"enableDisplay":true,"fundingRateIntervalMin":"240"}],
                  "coinList":[{"coinId":"1","coinName":"BTC"},{"coinId":"2","coinName":"USDC"}]}}
                """;
        String row = """
                {"code":"SUCCESS","data":[{%s"contractId":"30000001","fundingTime":"%d",
                  "fundingTimestamp":"%d","markPrice":"64018.2","fundingRateIntervalMin":"240"}]}
                """.formatted(forecast, settledMs, READ_AT);
        Rows rows = read(
                new Edgex(),
                new VenueResponses().add("getMetaData", response(list)).add("getLatestFundingRate", response(row)));
        return rows.skipped().getFirst().reason().toString();
    }

    /** Bitget has a code for a contract that has not settled yet. */
    @Test
    void bitgetsEmptyHistoryIsNoFailure() throws IOException {
        JsonValue empty = node("{\"code\":\"40054\",\"msg\":\"The data fetched by BTCUSDT is empty\",\"data\":null}");
        assertNull(new Bitget().error(empty));
        var history = new Settlements(new Bitget().spec(), "BTCUSDT", READ_AT);
        new Bitget().readHistory(empty, history);
        assertEquals(0, history.rows());
        assertNotNull(
                new Bitget().error(node("{\"code\":\"40034\",\"msg\":\"Parameter does not exist\",\"data\":null}")));
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
