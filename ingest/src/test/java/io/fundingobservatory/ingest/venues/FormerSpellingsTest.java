package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Responses in the form that an exchange had before, or has elsewhere: read as what they say, and filled up with nothing. */
class FormerSpellingsTest {
    private static final long READ_AT = 1_790_000_000_000L;

    @Test
    void bybitBeforeTheRowHadAnInterval() throws IOException {
        String tickers = """
                {"retCode":0,"result":{"category":"inverse","list":[{"symbol":"BTCUSD","markPrice":"16600",
                 "indexPrice":"16598.54",
                 "fundingRate":"-0.001034","nextFundingTime":"1672387200000"}]},"time":1672376496682}
                """;
        Quote alone = only(new Bybit(), new VenueResponses().add("tickers_inverse", response(tickers)));
        assertEquals("BTC", alone.base());
        assertNull(alone.intervalH());
        assertNull(alone.intervalSource());

        Quote listed = only(
                new Bybit(),
                new VenueResponses()
                        .add("tickers_inverse", response(tickers))
                        .add("instruments-info_inverse", response("""
                                        {"retCode":0,"result":{"list":[{"symbol":"BTCUSD","contractType":"InversePerpetual",
                                         "status":"Trading","baseCoin":"BTC","quoteCoin":"USD","fundingInterval":480}]}}
                                        """)));
        assertDecimal("8", listed.intervalH());
        assertEquals(IntervalSource.INSTRUMENT_LIST, listed.intervalSource());
    }

    @Test
    void bitgetKeepsUncheckableRowWithoutPrices() throws IOException {
        Quote quote = only(new Bitget(), new VenueResponses().add("current-fund-rate_USDT-FUTURES", response("""
                                        {"code":"00000","data":[{"symbol":"1000BONKUSDT","fundingRate":"-0.000014",
                                         "fundingRateInterval":"4","nextUpdate":"1790006400000"}],"requestTime":1789999998001}
                                        """)));
        assertEquals("1000BONK", quote.base());
        assertEquals("USDT", quote.quote());
        assertNull(quote.markPrice());
        assertNull(quote.indexPrice());
    }

    @Test
    void krakenPrefersRelativeRateAndNeedsIndexOtherwise() throws IOException {
        Rows rows = read(new Kraken(), new VenueResponses().add("tickers", response("""
                                        {"result":"success","serverTime":"2026-09-21T14:59:59.999Z","tickers":[
                                         {"symbol":"pf_compusd","tag":"perpetual","pair":"COMP:USD","fundingRate":0.001,
                                          "relativeFundingRate":0.00003,"suspended":false},
                                         {"symbol":"PI_XBTUSD","tag":"perpetual","pair":"XBT:USD","fundingRate":1.18588737106e-7,
                                          "indexPrice":21087.8,"suspended":false},
                                         {"symbol":"PF_LTCUSD","tag":"perpetual","pair":"LTC:USD",
                                          "fundingRate":0.001,"suspended":false}]}
                                        """)));
        assertEquals(List.of(new Rows.Skipped("PF_LTCUSD", SkipReason.of("unreadable_indexPrice"))), rows.skipped());
        assertEquals(RateUnit.FRACTION, rows.quotes().getFirst().rateUnit());
        assertDecimal("0.00003", rows.quotes().getFirst().rate());
        assertEquals(RateUnit.COIN_PER_QUOTE_AT_INDEX, rows.quotes().get(1).rateUnit());
        assertEquals(1_790_002_800_000L, rows.quotes().get(1).nextFundingMs());
    }

    @Test
    void krakensStampIsTheStartOfTheHour() throws IOException {
        List<SettledRate> settled = history(new Kraken(), """
                {"result":"success","rates":[
                 {"timestamp":"2026-09-20T00:00:00Z","fundingRate":0.0253,"relativeFundingRate":9.34e-06}]}
                """);
        assertEquals(1_789_866_000_000L, settled.getFirst().settledMs());
        assertDecimal("0.00000934", settled.getFirst().rate());
    }

    @Test
    void hyperliquidRequestsKnownDexesWithoutTheirList() throws IOException {
        var request = new Hyperliquid()
                .spec().requests().stream()
                        .filter(r -> r.name().equals("metaAndAssetCtxs_{}"))
                        .findFirst()
                        .orElseThrow();
        var keys = Objects.requireNonNull(request.keys());
        assertTrue(keys.apply(new VenueResponses()).contains("xyz"));
        assertEquals(
                List.of("flx"),
                keys.apply(new VenueResponses().add("perpDexs", response("[null,{\"name\":\"flx\"}]"))));
    }

    @Test
    void hyperliquidRequiresQuoteCurrencyOfBuilderDexes() throws IOException {
        String body =
                "[{\"universe\":[{\"name\":\"%s\"}]},[{\"funding\":\"0.00001\",\"markPx\":\"1.1\",\"oraclePx\":\"1.0\"}]]";
        Quote main = only(
                new Hyperliquid(), new VenueResponses().add("metaAndAssetCtxs", response(body.formatted("kPEPE"))));
        assertEquals("USDC", main.quote());
        Rows other = read(
                new Hyperliquid(),
                new VenueResponses().add("metaAndAssetCtxs_{}", response(body.formatted("xyz:GOLD"))));
        assertEquals(List.of(new Rows.Skipped("xyz:GOLD", Skip.UNKNOWN_STATE)), other.skipped());
    }

    @Test
    void mexcBeforeTheRatesHadPrices() throws IOException {
        Quote quote = only(
                new Mexc(),
                new VenueResponses().add("contract_funding_rate", response("""
                                        {"success":true,"code":0,"data":[{"symbol":"BTC_USDT","fundingRate":1e-4,"collectCycle":8,
                                         "nextSettleTime":1790006400000,"timestamp":1789999997772}]}
                                        """)).add("contract_ticker", response("""
                                        {"success":true,"code":0,"data":[{"symbol":"BTC_USDT",
                                         "fairPrice":64012.5,"indexPrice":64021.7}]}
                                        """)));
        assertDecimal("64012.5", quote.markPrice());
        assertDecimal("64021.7", quote.indexPrice());
    }

    @Test
    void readsBingxWithoutIntervalAndAsSingleRow() throws IOException {
        Quote quote = only(new Bingx(), new VenueResponses().add("swap_premiumIndex", response("""
                                        {"code":0,"msg":"","data":{"symbol":"BTC-USDT","markPrice":"42216.4",
                                         "indexPrice":"42219.9",
                                         "lastFundingRate":"0.00025100","nextFundingTime":1702742400000}}
                                        """)));
        assertDecimal("8", quote.intervalH());
        assertEquals(IntervalSource.DOCUMENTED, quote.intervalSource());
    }

    @Test
    void htxShowsNothingWithoutItsListOfContracts() throws IOException {
        Rows rows = read(new Htx(), new VenueResponses().add("linear_swap_batch_funding_rate", response("""
                                        {"status":"ok","data":[{"funding_rate":"0.0001","contract_code":"BTC-USDT",
                                         "funding_time":"1790006400000"}],"ts":1789999998111}
                                        """)));
        assertEquals(List.of(new Rows.Skipped("BTC-USDT", Skip.NO_INSTRUMENT_LIST)), rows.skipped());
    }

    @Test
    void okxHistoryIsWhatSettled() throws IOException {
        List<SettledRate> settled = history(new Okx(), """
                {"code":"0","data":[
                 {"instId":"BTC-USDT-SWAP","fundingRate":"0.0001","realizedRate":"0.00009","fundingTime":"1789977600000"},
                 {"instId":"BTC-USDT-SWAP","fundingRate":"0.0001","realizedRate":"","fundingTime":"1789948800000"}]}
                """);
        assertEquals(1, settled.size());
        assertDecimal("0.00009", settled.getFirst().rate());
    }

    private static Quote only(Venue venue, VenueResponses responses) throws IOException {
        Rows rows = read(venue, responses);
        assertEquals(List.of(), rows.skipped());
        assertEquals(1, rows.quotes().size());
        return rows.quotes().getFirst();
    }

    private static Rows read(Venue venue, VenueResponses responses) {
        var rows = new Rows(venue.spec(), READ_AT);
        venue.read(responses, rows);
        return rows;
    }

    private static List<SettledRate> history(Venue venue, String body) throws IOException {
        var settlements = new Settlements(venue.spec(), "ASKED", READ_AT);
        venue.readHistory(node(body), settlements);
        return settlements.settled();
    }

    private static Response response(String body) throws IOException {
        return new Response("", node(body), READ_AT);
    }

    private static JsonValue node(String body) throws IOException {
        return JsonValue.parse(body.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertDecimal(String expected, BigDecimal actual) {
        assertNotNull(actual);
        assertEquals(0, new BigDecimal(expected).compareTo(actual), () -> actual + " instead of " + expected);
    }
}
