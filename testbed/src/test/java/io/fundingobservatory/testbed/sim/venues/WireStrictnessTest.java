package io.fundingobservatory.testbed.sim.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.Settled;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes the real exchanges' responses hard to read is in the simulated ones too: shapes, caps, stamps and rows that only look alive. */
class WireStrictnessTest {
    private static final long NOW = Instant.parse("2026-11-20T10:37:42Z").toEpochMilli();
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;

    // ---- shapes

    @Test
    void xtWrapsTheListOfVersion3() {
        var xt = new ExchangeUnderTest("xt");
        assertTrue(
                xt.get("fapi.xt.com/future/market/v3/public/symbol/list")
                        .startsWith("{\"returnCode\":0,\"msgInfo\":\"success\",\"error\":null,\"result\":{\"time\":"),
                "an object");
        assertTrue(
                xt.get("fapi.xt.com/future/market/v1/public/symbol/list").contains("\"result\":[{\"symbol\":"),
                "a bare list");
    }

    @Test
    void xtPagesHistoryByIdOfLastRow() {
        var xt = new ExchangeUnderTest("xt");
        String history =
                "fapi.xt.com/future/market/v1/public/q/funding-rate-record?symbol=" + xt.symbolAt(1) + "&limit=500";
        String first = xt.get(history);
        assertEquals(200, all(first, "createdTime").size(), "cut to 200");
        assertTrue(first.contains("\"hasNext\":true"), "and there is more");
        String second =
                xt.get(history + "&direction=NEXT&id=" + all(first, "id").getLast());
        assertEquals(
                Long.parseLong(all(first, "createdTime").getLast()) - HOUR,
                Long.parseLong(all(second, "createdTime").getFirst()));
        assertEquals(10, xt.count(history.replace("&limit=500", ""), "id"), "10 by default");
    }

    @Test
    void derivePeriodIsSecondsRangeThirtyDays() {
        var derive = new ExchangeUnderTest("derive");
        assertTrue(derive.history(",\"period\":\"1h\"", 30).contains("-32602"), "a word");
        assertTrue(derive.history("", 31).contains("-32602"), "31 days");
        assertTrue(derive.history("", 30).contains("funding_rate_history"));
        assertTrue(derive.history(",\"period\":3600", 30).contains("funding_rate_history"));
        assertTrue(derive.history(",\"period\":null", 30).contains("funding_rate_history"));
    }

    @Test
    void deriveStampsHoursAtTheirStart() {
        List<String> starts = all(new ExchangeUnderTest("derive").history("", 1), "timestamp");
        assertEquals(24, starts.size());
        assertEquals(NOW / HOUR * HOUR, Long.parseLong(starts.getLast()));
    }

    @Test
    void nadoListsContractsAsObjectAndIgnoresQuery() {
        var nado = new ExchangeUnderTest("nado");
        SimulatedContract first = nado.market.listings().getFirst();
        String contracts = nado.get("api.prod.nado.xyz/archive/v2/contracts?edge=false");
        assertTrue(contracts.startsWith("{\"" + nado.wire.symbol(first) + "\":{\"product_id\":2,"), contracts);
        assertTrue(
                contracts.matches("(?s).*\"funding_rate\":-?\\d\\.?\\d*e-\\d\\d.*"), "small numbers have an exponent");
        assertFalse(contracts.contains("trading_status"), "only the gateway has states");
        String symbols = nado.get("api.prod.nado.xyz/gateway/v1/query?type=symbols");
        assertTrue(symbols.endsWith("\"request_type\":\"query_symbols\"}"), symbols);
        assertEquals(symbols, nado.get("api.prod.nado.xyz/gateway/v1/query?type=anything"));
    }

    @Test
    void nadoRateIsDailyAndSettlementsAreHourly() {
        var nado = new ExchangeUnderTest("nado");
        SimulatedContract btc = nado.listing(l -> l.isLive() && l.asset().equals("BTC"));
        String row = row(
                nado.get("api.prod.nado.xyz/archive/v2/contracts"), "\"ticker_id\":\"" + nado.wire.symbol(btc) + "\"");
        BigDecimal day = new BigDecimal(all(row, "funding_rate").getFirst());
        assertEquals(0, btc.rate().multiply(BigDecimal.valueOf(24)).compareTo(day), row);
        String product = all(row, "product_id").getFirst();
        String history = nado.post(
                "api.prod.nado.xyz/archive/v1",
                "{\"funding_rate_history\":{\"product_id\":" + product + ",\"start_time\":" + (NOW - DAY) / 1_000
                        + ",\"end_time\":" + NOW / 1_000 + ",\"limit\":1000}}");
        List<Settled> settled = btc.settledBetween(NOW - DAY, NOW);
        assertEquals(24, settled.size());
        assertEquals(
                settled.stream().map(s -> Long.toString(s.settledMs() / 1_000)).toList(), all(history, "timestamp"));
        assertEquals(
                settled.stream()
                        .map(s ->
                                s.rate().movePointRight(18).toBigIntegerExact().toString())
                        .toList(),
                all(history, "funding_rate_x18"));
        assertTrue(history.contains("\"timestamp\":\""), "seconds between quotes");
    }

    @Test
    void standxNeedsMillisecondsAndUsesItsOwnDollar() {
        var standx = new ExchangeUnderTest("standx");
        String overview = standx.get("perps.standx.com/api/query_market_overview");
        assertEquals(Set.of("DUSD"), new HashSet<>(all(overview, "quote")));
        assertTrue(all(overview, "symbol").stream().allMatch(symbol -> symbol.endsWith("-USD")));
        assertFalse(overview.contains("index_price") || overview.contains("next_funding"), overview);
        String history = "perps.standx.com/api/query_funding_rates?symbol=BTC-USD";
        String from = "&start_time=" + (NOW - DAY);
        assertEquals(400, standx.wire.status(standx.get(history + from)), "no end");
        assertEquals(400, standx.wire.status(standx.get(history + "&end_time=" + NOW)), "no start");
        assertEquals(400, standx.wire.status(standx.get(history + "&start_time=2026-11-19T10:00:00Z&end_time=" + NOW)));
        String seconds = "&start_time=" + (NOW - DAY) / 1_000 + "&end_time=" + NOW / 1_000;
        assertEquals("[]", standx.get(history + seconds), "seconds");
        List<String> hours = all(standx.get(history + from + "&end_time=" + NOW), "time");
        assertEquals(24, hours.size());
        assertEquals("2026-11-20T10:00:00Z", hours.getLast(), "oldest first, exactly on the hour");
    }

    // ---- which instant, which value

    @Test
    void pacificaRecordNamesSettledRateNextFundingRate() {
        var pacifica = new ExchangeUnderTest("pacifica");
        SimulatedContract btc = pacifica.listing(l -> l.asset().equals("BTC"));
        String history = pacifica.get("api.pacifica.fi/api/v1/funding_rate/history?symbol=BTC&limit=3");
        List<Settled> settlements = btc.settled().reversed();
        assertEquals(
                settlements.subList(0, 3).stream()
                        .map(s -> s.rate().toPlainString())
                        .toList(),
                all(history, "next_funding_rate"));
        assertEquals(
                settlements.subList(1, 4).stream()
                        .map(s -> s.rate().toPlainString())
                        .toList(),
                all(history, "funding_rate"));
        assertTrue(history.contains("\"has_more\":true"), history);
        String prices = row(pacifica.get("api.pacifica.fi/api/v1/info/prices"), "\"symbol\":\"BTC\"");
        assertEquals(List.of(btc.lastSettledRate().toPlainString()), all(prices, "funding"));
        assertEquals(List.of(btc.rate().toPlainString()), all(prices, "next_funding"));
    }

    @Test
    void krakenHistoryHoldsYearAndRunningHour() {
        var kraken = new ExchangeUnderTest("kraken");
        List<String> stamps = all(
                kraken.get("futures.kraken.com/derivatives/api/v3/historical-funding-rates?symbol=PF_XBTUSD"),
                "timestamp");
        assertEquals(8_792, stamps.size());
        assertEquals("2026-11-20T10:00:00Z", stamps.getLast(), "requested at 10:37");
        assertEquals("2026-11-20T09:00:00Z", stamps.get(stamps.size() - 2));
    }

    @Test
    void krakenAbsoluteRatesHaveDigitsOfDouble() {
        var kraken = new ExchangeUnderTest("kraken");
        String tickers = kraken.get("futures.kraken.com/derivatives/api/v3/tickers");
        for (String row : tickers.split("(?=\\{\"symbol\":\"P[IF]_)")) {
            for (String rate : row.startsWith("{\"symbol\":\"P") ? all(row, "fundingRate") : List.<String>of()) {
                var absolute = new BigDecimal(rate);
                assertTrue(absolute.precision() <= 16, row);
                assertTrue(!row.contains("PI_") || absolute.scale() <= 18, row);
            }
        }
        assertTrue(tickers.contains("PI_") && tickers.contains("PF_"), tickers);
    }

    @Test
    void extendedStampsMinutesLateNowAndThen() {
        var extended = new ExchangeUnderTest("extended");
        String path = "api.starknet.extended.exchange/api/v1/info/BTC-USD/funding?startTime=" + (NOW - 30 * DAY);
        List<String> stamps = all(extended.get(path + "&endTime=" + NOW), "T");
        assertEquals(720, stamps.size());
        assertTrue(stamps.stream().allMatch(t -> Long.parseLong(t) % HOUR < 570_000), "never more than 570 s");
        assertTrue(stamps.stream().anyMatch(t -> Long.parseLong(t) % HOUR > 500_000), "some nearly ten minutes");
        assertEquals(400, extended.wire.status(extended.get(path)), "both times are required");
    }

    @Test
    void edgexNamesASettlementThatIsHoursOld() {
        var edgex = new ExchangeUnderTest("edgex");
        var ids = new StringBuilder();
        for (int i = 0; i < edgex.market.listings().size(); i++) {
            ids.append(",").append(30_000_001 + i);
        }
        String rows = edgex.get("edgex-prod-v2.edgex.exchange/api/v2/public/funding/getLatestFundingRate?contractId="
                + ids.substring(1));
        List<String> settled = all(rows, "fundingTime");
        List<String> minutes = all(rows, "fundingRateIntervalMin");
        int late = 0;
        for (int i = 0; i < settled.size(); i++) {
            late += Long.parseLong(settled.get(i)) + Long.parseLong(minutes.get(i)) * 60_000 <= NOW ? 1 : 0;
        }
        assertTrue(late > 0 && late < settled.size() / 10, late + " rows lag");
    }

    @Test
    void kucoinNamesIntervalNotInForceYet() {
        var kucoin = new ExchangeUnderTest("kucoin");
        String rows = kucoin.get("api-futures.kucoin.com/api/v1/contracts/active");
        int announced = 0;
        int unpublished = 0;
        for (SimulatedContract l : kucoin.market.where(SimulatedContract::isLive)) {
            String row = row(rows, "\"symbol\":\"" + kucoin.wire.symbol(l) + "\"");
            String inForce = all(row, "currentFundingRateGranularity").getFirst();
            String configured = all(row, "fundingRateGranularity").getFirst();
            if (inForce.equals("null")) {
                unpublished++;
                assertEquals(l.intervalH() * HOUR, Long.parseLong(configured), row);
            } else {
                assertEquals(l.intervalH() * HOUR, Long.parseLong(inForce), row);
                announced += inForce.equals(configured) ? 0 : 1;
            }
        }
        assertTrue(announced > 0, "changes announced");
        assertTrue(unpublished > 0, "rows without the interval in force");
    }

    @Test
    void deepcoinDeclaresAnIntervalThatItsSettlementsContradict() {
        var deepcoin = new ExchangeUnderTest("deepcoin");
        SimulatedContract one = deepcoin.listing(l -> l.isLive() && deepcoin.wire.declaresFalsely(l));
        String compact = one.base() + one.quote();
        String declared = row(
                deepcoin.get("api.deepcoin.com/deepcoin/trade/funding-rate?instType="
                        + (one.quote().equals("USD") ? "Swap" : "SwapU")),
                "\"instrumentID\":\"" + compact + "\"");
        assertEquals(List.of("3600"), all(declared, "settleInterval"));
        List<String> history = all(
                deepcoin.get("api.deepcoin.com/deepcoin/trade/fund-rate/history?instId=" + compact + "&limit=2"),
                "CreateTime");
        assertEquals(4 * 3_600, Long.parseLong(history.getFirst()) - Long.parseLong(history.getLast()));
    }

    // ---- payments that are no funding

    @Test
    void binanceBooksDividendsBesideTheOrdinarySettlement() {
        var binance = new ExchangeUnderTest("binance");
        int shares = 0;
        int special = 0;
        for (SimulatedContract share :
                binance.market.where(l -> l.isLive() && l.isShare() && l.quote().equals("USDT"))) {
            String rows = binance.get("fapi.binance.com/fapi/v1/fundingRate?limit=1000&startTime=" + (NOW - 30 * DAY)
                    + "&symbol=" + binance.wire.symbol(share));
            List<String> types = all(rows, "rateType");
            List<String> times = all(rows, "fundingTime");
            for (int i = 0; i < types.size(); i++) {
                if (types.get(i).equals("Special")) {
                    special++;
                    long after = Long.parseLong(times.get(i)) - Long.parseLong(times.get(i - 1));
                    assertTrue(after > 0 && after <= 1_000, "within a second of the ordinary row: " + after);
                }
            }
            shares++;
        }
        assertTrue(shares > 100, "equity perpetuals: " + shares);
        assertTrue(special > shares / 5, special + " dividends in 30 days, one a quarter each");
    }

    // ---- caps

    @Test
    void binanceCutsPageAndSends200WithoutSymbol() {
        var binance = new ExchangeUnderTest("binance");
        String hourly = binance.symbolAt(1);
        String since = "fapi.binance.com/fapi/v1/fundingRate?limit=1000&startTime=" + (NOW - 30 * DAY);
        assertEquals(500, binance.count(since + "&symbol=" + hourly, "fundingTime"));
        List<String> latest = all(binance.get("fapi.binance.com/fapi/v1/fundingRate"), "symbol");
        assertEquals(200, latest.size());
        assertEquals(200, new HashSet<>(latest).size());
        assertEquals(500, binance.count(since, "fundingTime"));
    }

    @Test
    void weexRejectsMoreThanSevenDays() {
        var weex = new ExchangeUnderTest("weex");
        String path = "api-contract.weex.com/capi/v3/market/fundingRate?limit=1000&symbol=BTCUSDT&endTime=" + NOW;
        String refused = weex.get(path + "&startTime=" + (NOW - 7 * DAY - 1));
        assertTrue(refused.contains("Time range cannot exceed 7 days"), refused);
        assertEquals(400, weex.wire.status(refused));
        assertTrue(weex.get(path + "&startTime=" + (NOW - 7 * DAY)).startsWith("[{"));
    }

    @Test
    void deepcoinSendsNothingForMoreThanHundredRows() {
        var deepcoin = new ExchangeUnderTest("deepcoin");
        SimulatedContract hourly = deepcoin.listing(l -> l.isLive() && l.intervalH() == 1);
        String path = "api.deepcoin.com/deepcoin/trade/fund-rate/history?instId=" + hourly.base() + hourly.quote();
        assertEquals(20, deepcoin.count(path, "CreateTime"));
        assertEquals(20, deepcoin.count(path + "&size=100", "CreateTime"), "size is ignored");
        assertEquals(100, deepcoin.count(path + "&limit=100", "CreateTime"));
        assertEquals(0, deepcoin.count(path + "&limit=200", "CreateTime"));
        assertEquals(
                Long.parseLong(all(deepcoin.get(path + "&limit=100"), "CreateTime")
                                .getLast())
                        - 3_600,
                Long.parseLong(all(deepcoin.get(path + "&limit=100&page=2"), "CreateTime")
                        .getFirst()));
    }

    /** A venue, a request, how often a member occurs in the response; {@code HOURLY} is a contract that settles each hour. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
            bitget    | api.bitget.com/api/v2/mix/market/history-fund-rate?productType=USDT-FUTURES&symbol=HOURLY&pageSize=200&pageNo=1 | fundingTime | 100
            bitget    | api.bitget.com/api/v2/mix/market/history-fund-rate?productType=USDT-FUTURES&symbol=HOURLY&pageSize=200&pageNo=2 | fundingTime | 100
            bitget    | api.bitget.com/api/v2/mix/market/history-fund-rate?productType=USDT-FUTURES&symbol=HOURLY&pageSize=200&pageNo=3 | fundingTime | 70
            bitget    | api.bitget.com/api/v2/mix/market/history-fund-rate?productType=USDT-FUTURES&symbol=HOURLY&pageSize=200&pageNo=4 | fundingTime | 0
            whitebit  | whitebit.com/api/v4/public/funding-history/HOURLY?limit=1000                           | fundingRate | 100
            cryptocom | api.crypto.com/exchange/v1/public/get-valuations?instrument_name=BTCUSD-PERP&valuation_type=funding_hist&count=1000 | t | 25
            phemex    | api.phemex.com/contract-biz/public/real-funding-rates?symbol=ALL                       | fundingInterval | 20
            gate      | api.gateio.ws/api/v4/futures/usdt/contracts?limit=1000                                 | name        | 100
            """)
    void pagesAreCutInSilence(String venue, String url, String member, int rows) {
        var exchange = new ExchangeUnderTest(venue);
        String hourly = url.contains("HOURLY") ? exchange.symbolAt(1) : "";
        assertEquals(rows, exchange.count(url.replace("HOURLY", hourly), member));
    }

    @Test
    void gateListsAllContractsWithoutLimit() {
        var gate = new ExchangeUnderTest("gate");
        String contracts = "api.gateio.ws/api/v4/futures/usdt/contracts";
        assertTrue(gate.count(contracts, "name") > 600);
        assertTrue(gate.count(contracts.replace("usdt", "usd1"), "name") >= 9);
    }

    @Test
    void lighterGivesTheNewest750OfAWindow() {
        var lighter = new ExchangeUnderTest("lighter");
        List<String> stamps = all(
                lighter.get("mainnet.zklighter.elliot.ai/api/v1/fundings?market_id=0&resolution=1h&start_timestamp="
                        + (NOW - 33 * DAY) / 1_000 + "&end_timestamp=" + NOW / 1_000),
                "timestamp");
        assertEquals(750, stamps.size());
        assertEquals(NOW / HOUR * 3_600, Long.parseLong(stamps.getLast()), "the newest, last");
    }

    @Test
    void rejectsRequestsBeyondTheRules() {
        var apex = new ExchangeUnderTest("apex");
        String history = "omni.apex.exchange/api/v3/history-funding?symbol=BTC-USDT&limit=";
        assertTrue(apex.get(history + 101).startsWith("{\"code\":3"));
        assertEquals(100, apex.count(history + 100, "rate"));
        var toobit = new ExchangeUnderTest("toobit");
        history = "api.toobit.com/api/v1/futures/historyFundingRate?symbol=BTC-SWAP-USDT&limit=";
        assertEquals(400, toobit.wire.status(toobit.get(history + 1_500)));
        assertEquals(200, toobit.wire.status(toobit.get(history + 1_000)));
        var bybit = new ExchangeUnderTest("bybit");
        history = "api.bybit.com/v5/market/funding/history?category=linear&symbol=BTCUSDT&startTime=" + (NOW - DAY);
        assertTrue(bybit.get(history).contains("\"retCode\":10001"), "startTime without endTime");
        assertTrue(bybit.get(history + "&endTime=" + NOW).contains("\"retCode\":0"));
    }

    @Test
    void geminiNamesTheSettlementThatHasJustPassed() {
        long hour = NOW / HOUR * HOUR;
        for (long second : List.of(10L, 20L)) {
            Wire gemini = new ExchangeUnderTest("gemini").wire;
            MarketSnapshot market = new SimulatedMarket(5, List.of(gemini)).at("gemini", hour + second * 1_000);
            SimulatedContract live = market.where(SimulatedContract::isLive).getFirst();
            String response = gemini.response(
                    new SimulatedRequest(
                            "GET", "api.gemini.com", "/v1/fundingamount/" + gemini.symbol(live), Map.of(), ""),
                    market);
            assertEquals(
                    List.of(Long.toString(second == 10 ? hour : hour + HOUR)), all(response, "nextFundingTimestamp"));
        }
    }

    // ---- rows that look alive

    @Test
    void hyperliquidListsTenDexesSixDead() {
        var hyperliquid = new ExchangeUnderTest("hyperliquid");
        String dexes = hyperliquid.post("api.hyperliquid.xyz/info", "{\"type\":\"perpDexs\"}");
        assertTrue(dexes.startsWith("[null,"), "the main dex has no name");
        List<String> names = all(dexes, "name");
        assertEquals(10, names.size());
        Set<String> dead = new HashSet<>();
        for (String name : names) {
            String body = hyperliquid.post(
                    "api.hyperliquid.xyz/info", "{\"type\":\"metaAndAssetCtxs\",\"dex\":\"" + name + "\"}");
            List<String> contracts = all(body, "szDecimals");
            assertFalse(contracts.isEmpty(), name);
            if (all(body, "isDelisted").size() == contracts.size()) {
                dead.add(name);
            }
        }
        assertEquals(Set.of("flx", "vntl", "hyna", "km", "abcd", "cash"), dead);
        String unknown = hyperliquid.post(
                "api.hyperliquid.xyz/info", "{\"type\":\"fundingHistory\",\"coin\":\"NONE\",\"startTime\":0}");
        assertEquals("null", unknown);
        assertEquals(500, hyperliquid.wire.status(unknown));
    }

    @Test
    void activeLighterMarketMayBeReduceOnlyHidden() {
        var lighter = new ExchangeUnderTest("lighter");
        String rows = lighter.get("mainnet.zklighter.elliot.ai/api/v1/orderBookDetails");
        assertTrue(rows.contains("\"status\":\"active\",\"market_config\":{\"force_reduce_only\":true"));
        assertTrue(rows.contains("\"force_reduce_only\":false,\"hidden\":true"));
        assertTrue(all(rows, "created_at").stream().anyMatch(at -> Long.parseLong(at) > NOW));
    }

    @Test
    void okxListsTestInstrumentAndXPerps() {
        var okx = new ExchangeUnderTest("okx");
        String instruments = okx.get("www.okx.com/api/v5/public/instruments?instType=SWAP");
        assertTrue(instruments.matches("(?s).*\"instId\":\"TEST[A-Z0-9]+-USDT-SWAP\"[^}]*\"state\":\"live\".*"));
        assertTrue(okx.get("www.okx.com/api/v5/public/funding-rate?instId=ANY").contains("_UM_XPERP-310404"));
        assertFalse(instruments.contains("XPERP"));
    }

    @Test
    void lbankKeepsRowsOfDelistedContracts() {
        Map<String, Integer> statuses = new HashMap<>();
        all(
                        new ExchangeUnderTest("lbank")
                                .get("lbkperp.lbank.com/cfd/openApi/v1/pub/marketData?productGroup=SwapU"),
                        "instrumentStatus")
                .forEach(status -> statuses.merge(status, 1, Integer::sum));
        assertTrue(statuses.size() > 1 && statuses.get("2") > 500, statuses::toString);
    }

    // ---- requests

    private static final class ExchangeUnderTest {
        final Wire wire;
        final MarketSnapshot market;

        ExchangeUnderTest(String venue) {
            wire = Wires.all().stream()
                    .filter(one -> one.venue().equals(venue))
                    .findFirst()
                    .orElseThrow();
            market = new SimulatedMarket(5, List.of(wire)).at(venue, NOW);
        }

        SimulatedContract listing(Predicate<SimulatedContract> condition) {
            return market.where(condition).getFirst();
        }

        /** A contract that settles every so many hours. */
        String symbolAt(int hours) {
            return wire.symbol(listing(
                    l -> l.isLive() && l.intervalH() == hours && l.quote().equals("USDT")));
        }

        String get(String url) {
            return response("GET", url, "");
        }

        /** How often a member occurs in a response. */
        int count(String url, String member) {
            return all(get(url), member).size();
        }

        String post(String url, String body) {
            return response("POST", url, body);
        }

        /** Derive's settled past of so many days. */
        String history(String more, int days) {
            return post(
                    "api.derive.xyz/v3/public/get_funding_rate_history",
                    "{\"instrument_name\":\"BTC-PERP\",\"start_timestamp\":" + (NOW - days * DAY)
                            + ",\"end_timestamp\":" + NOW + more + "}");
        }

        private String response(String method, String url, String body) {
            String[] halves = url.split("\\?", 2);
            var query = new HashMap<String, String>();
            if (halves.length == 2) {
                for (String pair : halves[1].split("&")) {
                    String[] parts = pair.split("=", 2);
                    query.put(parts[0], parts[1]);
                }
            }
            int slash = halves[0].indexOf('/');
            return wire.response(
                    new SimulatedRequest(
                            method, halves[0].substring(0, slash), halves[0].substring(slash), query, body),
                    market);
        }
    }

    /** Every value of a member, in order, without quotes. */
    private static List<String> all(String json, String member) {
        var values = new ArrayList<String>();
        Matcher found = Pattern.compile("\"" + member + "\":\"?([^\",}\\]]*)").matcher(json);
        while (found.find()) {
            values.add(found.group(1));
        }
        return values;
    }

    /** The object that has this in it. */
    private static String row(String json, String part) {
        int at = json.indexOf(part);
        assertTrue(at >= 0, part);
        int begin = json.lastIndexOf("{\"", at);
        int end = json.indexOf("{\"", at);
        int next = json.indexOf("},{", at);
        return json.substring(begin, next >= 0 ? next : end >= 0 ? end : json.length());
    }
}
