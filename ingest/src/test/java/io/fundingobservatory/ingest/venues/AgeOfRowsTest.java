package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.poll.guards.Guards;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.topics.records.Quote;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rows are as old as their own responses: a singly requested row, a copy from a cache, a rate that is not
 * returned any more.
 */
class AgeOfRowsTest {
    private static final long EARLIER = 1_789_999_940_000L;
    private static final long NOW = 1_790_000_000_000L;

    /** A whole hour, the first of a block of four. */
    private static final long SETTLED = 1_789_995_600_000L;

    private static Response response(String key, long readAtMs, String json) throws IOException {
        return new Response(key, JsonValue.parse(json.getBytes(StandardCharsets.UTF_8)), readAtMs);
    }

    private static Map<String, Long> observedAt(Venue venue, VenueResponses responses) {
        var rows = new Rows(venue.spec(), NOW);
        venue.read(responses, rows);
        var observed = new TreeMap<String, Long>();
        rows.quotes().forEach(quote -> observed.put(quote.symbol(), quote.observedAtMs()));
        return observed;
    }

    @Test
    void xtRequestsOneContractSingly() throws IOException {
        var responses = new VenueResponses()
                .add("cg_contracts", response("", NOW, """
                        [{"symbol":"btc_usdt","funding_rate":"0.0001","collection_internal":8,"product_type":"PERPETUAL",
                          "next_funding_rate_timestamp":1790006400000,"index_price":"1"}]
                        """))
                .add("funding-rate_{}", response("moonshot_usdt", EARLIER, """
                        {"returnCode":0,"result":{"symbol":"moonshot_usdt","fundingRate":"0.0001","collectionInternal":4,
                          "nextCollectionTime":1790006400000}}
                        """));
        assertEquals(Map.of("btc_usdt", NOW, "moonshot_usdt", EARLIER), observedAt(new Xt(), responses));
    }

    @Test
    void hyperliquidReadsEachBuilderDex() throws IOException {
        var responses = new VenueResponses()
                .add("metaAndAssetCtxs", response("", NOW, """
                        [{"universe":[{"name":"BTC"}],"collateralToken":0},[{"funding":"0.0000125","markPx":"1","oraclePx":"1"}]]
                        """))
                .add("metaAndAssetCtxs_{}", response("xyz", EARLIER, """
                        [{"universe":[{"name":"xyz:GOLD"}],"collateralToken":0},[{"funding":"0.0000125","markPx":"1","oraclePx":"1"}]]
                        """));
        assertEquals(Map.of("BTC", NOW, "xyz:GOLD", EARLIER), observedAt(new Hyperliquid(), responses));
    }

    /** A request is for 200 contracts, and another one may have failed for minutes. */
    @Test
    void edgexRowsAreAsOldAsTheirRequest() throws IOException {
        String row = """
                {"code":"SUCCESS","data":[{"contractId":"%d","forecastFundingRate":"0.0001","fundingRateIntervalMin":"240"}]}
                """;
        var responses = new VenueResponses()
                .add("getMetaData", response("", NOW, """
                        {"code":"SUCCESS","data":{
                          "coinList":[{"coinId":"1","coinName":"USD"},{"coinId":"2","coinName":"BTC"},{"coinId":"3","coinName":"ETH"}],
                          "contractList":[
                            {"contractId":"12","contractName":"BTCUSD","baseCoinId":"2","quoteCoinId":"1",
                             "enableTrade":true,"enableOpenPosition":true,"enableDisplay":true},
                            {"contractId":"13","contractName":"ETHUSD","baseCoinId":"3","quoteCoinId":"1",
                             "enableTrade":true,"enableOpenPosition":true,"enableDisplay":true}]}}
                        """))
                .add("getLatestFundingRate", response("12", EARLIER, row.formatted(12)))
                .add("getLatestFundingRate", response("13", NOW, row.formatted(13)));
        assertEquals(Map.of("BTCUSD", EARLIER, "ETHUSD", NOW), observedAt(new Edgex(), responses));
    }

    /** Where Crypto.com returns settled rates alone, a rate is fixed for hours, and its mark goes on moving. */
    @Test
    void cryptocomsSettledRateLivesWithItsMark() throws IOException {
        VenueGuards guards = new Guards().of("cryptocom");
        for (long minute = 2; minute <= 40; minute += 2) {
            long at = SETTLED + minute * 60_000;
            var responses = new VenueResponses()
                    .add("get-instruments", response("", SETTLED, """
                            {"code":0,"result":{"data":[{"symbol":"BTCUSD-PERP","inst_type":"PERPETUAL_SWAP",
                              "base_ccy":"BTC","quote_ccy":"USD","tradable":true}]}}
                            """))
                    .add("get-valuations_funding_hist_{}", response("BTCUSD-PERP", SETTLED + 60_000, """
                            {"code":0,"result":{"data":[{"v":"0.00001","t":%d}]}}
                            """.formatted(
                                    SETTLED)))
                    .add("get-valuations_mark_price_{}", response("BTCUSD-PERP", at, """
                            {"code":0,"result":{"data":[{"v":"%d","t":%d}]}}
                            """.formatted(
                                    64_000 + minute, at - 1_000)));
            var rows = new Rows(new Cryptocom().spec(), at);
            new Cryptocom().read(responses, rows);
            assertEquals(1, rows.quotes().size(), () -> rows.skipped().toString());
            VenueGuards.Guarded guarded = guards.check(rows.quotes(), at, true, new SettlementGaps());
            assertEquals(1, guarded.passed().size(), minute + " minutes after the settlement");
        }
    }

    /** Backpack's cache responds with what it has kept for up to an hour when its origin is in trouble. */
    @ParameterizedTest(name = "next settlement {0} s after the reading: {1}")
    @CsvSource({"600, shown", "-30, shown", "-61, settlement_passed", "-3500, settlement_passed", "-9000000, shown"})
    void detectsCachedCopyByItsSettlement(long seconds, String outcome) throws IOException {
        var rows = new Rows(new Backpack().spec(), NOW);
        new Backpack()
                .read(
                        new VenueResponses()
                                .add("markPrices", response("", NOW, """
                                        [{"symbol":"BTC_USDC_PERP","fundingRate":"0.0001","markPrice":"1","indexPrice":"1",
                                          "nextFundingTimestamp":%d}]
                                        """.formatted(NOW + seconds * 1_000)))
                                .add("markets", response("", NOW, """
                                        [{"symbol":"BTC_USDC_PERP","marketType":"PERP","orderBookState":"Open","visible":true,
                                          "fundingInterval":3600000}]
                                        """)),
                        rows);
        String got =
                rows.quotes().isEmpty() ? rows.skipped().getFirst().reason().toString() : "shown";
        assertEquals(outcome, got);
    }

    /** Extended's time of the next settlement lags, by hours now and then; a body of another day is a recording. */
    @ParameterizedTest(name = "{0} s before the reading")
    @CsvSource({"10, true", "5400, true", "50000, true", "9000000, false"})
    void aTimeThatLagsIsTheNextFullHour(long seconds, boolean corrected) throws IOException {
        long published = NOW - seconds * 1_000;
        var rows = new Rows(new Extended().spec(), NOW);
        new Extended()
                .read(new VenueResponses().add("info-markets", response("", NOW, """
                                {"status":"OK","data":[{"name":"BTC-USD","type":"PERPETUAL","status":"ACTIVE","assetName":"BTC",
                                  "collateralAssetName":"USD","marketStats":{"fundingRate":"0.0001","nextFundingRate":%d}}]}
                                """.formatted(published))), rows);
        long next = NOW / 3_600_000 * 3_600_000 + 3_600_000;
        assertEquals(corrected ? next : published, rows.quotes().getFirst().nextFundingMs());
    }

    /**
     * A rate and a mark price of Crypto.com are separate responses. A mark price that is not returned any
     * more is not as old as the rate.
     */
    @ParameterizedTest(name = "a mark {0} s older than the rate: {1}")
    @CsvSource({"-60, true", "240, true", "301, false", "9000, false"})
    void markWithoutNewResponseIsUnknown(long seconds, boolean shown) throws IOException {
        long rateAt = NOW / 3_600_000 * 3_600_000 + 600_000;
        var rows = new Rows(new Cryptocom().spec(), rateAt);
        String body = """
                {"code":0,"result":{"data":[{"v":"%s","t":%d}],"instrument_name":"BTCUSD-PERP"}}
                """;
        new Cryptocom()
                .read(
                        new VenueResponses()
                                .add(
                                        "get-valuations_funding_rate_{}",
                                        response("BTCUSD-PERP", rateAt, body.formatted("0.0001", rateAt)))
                                .add(
                                        "get-valuations_mark_price_{}",
                                        response("BTCUSD-PERP", rateAt - seconds * 1_000, body.formatted("5", rateAt))),
                        rows);
        Quote quote = rows.quotes().getFirst();
        assertEquals(shown, quote.markPrice() != null);
    }
}
