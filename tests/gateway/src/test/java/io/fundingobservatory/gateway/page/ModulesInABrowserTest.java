package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pure functions of the page, in the engine that runs them, against another arithmetic. */
class ModulesInABrowserTest extends PageTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CASES = 400;

    private final Random random = new Random(7);

    @BeforeEach
    void open() throws Exception {
        troubleIsExpected(); // the empty document has no icon
        browser.open(server.base().resolve("/source/"));
        await("an empty document", "location.pathname === '/source/' && document.readyState === 'complete'");
    }

    private List<BigDecimal> decimals() {
        var found = new ArrayList<BigDecimal>();
        List.of("0", "-0.5", "0.5", "1.5", "2.5", "-0.00005", "0.00015", "100", "-1000000")
                .forEach(text -> found.add(new BigDecimal(text)));
        while (found.size() < CASES) {
            BigDecimal size = new BigDecimal(new BigInteger(1 + random.nextInt(100), random), random.nextInt(24));
            found.add(random.nextBoolean() ? size : size.negate());
        }
        return found;
    }

    private static String json(List<BigDecimal> values) throws Exception {
        return JSON.writeValueAsString(
                values.stream().map(BigDecimal::toPlainString).toList());
    }

    @Test
    void arithmeticIsExact() throws Exception {
        List<BigDecimal> a = decimals();
        List<BigDecimal> b = decimals().reversed();
        JsonNode found = module(
                "decimal.js",
                json(a) + ".map((a, i) => { const b = " + json(b)
                        + "[i]; return [m.minus(a, b), m.compare(a, b), m.shifted(a, 2),"
                        + " m.rounded(a, 4), m.quotient(m.times(a, '365'), '30', 6), m.quotient(a, b, 8), m.times(a, b)]; })");
        for (int i = 0; i < CASES; i++) {
            BigDecimal x = a.get(i);
            BigDecimal y = b.get(i);
            JsonNode is = found.get(i);
            assertEquals(plain(x.subtract(y)), is.get(0).asText(), x + " - " + y);
            assertEquals(x.compareTo(y), is.get(1).asInt(), x + " ? " + y);
            assertEquals(plain(x.movePointRight(2)), is.get(2).asText(), x + " × 100");
            BigDecimal four = x.setScale(4, RoundingMode.HALF_EVEN);
            String rounded = four.signum() == 0 && x.signum() != 0 ? plain(x) : four.toPlainString();
            assertEquals(rounded, is.get(3).asText(), x + " to four decimals");
            BigDecimal year =
                    x.multiply(BigDecimal.valueOf(365)).divide(BigDecimal.valueOf(30), 6, RoundingMode.HALF_EVEN);
            assertEquals(year.toPlainString(), is.get(4).asText(), x + " × 365 / 30");
            assertEquals(
                    y.signum() == 0
                            ? "null"
                            : x.divide(y, 8, RoundingMode.HALF_EVEN).toPlainString(),
                    is.get(5).asText(),
                    x + " / " + y);
            assertEquals(plain(x.multiply(y)), is.get(6).asText(), x + " × " + y);
        }
    }

    @Test
    void ratesAreExactInEveryUnit() throws Exception {
        List<BigDecimal> rates = decimals();
        for (var unit : Map.of("percent", 2, "bps", 4, "fraction", 0, "of a later release", 2)
                .entrySet()) {
            int places = unit.getValue();
            JsonNode found = module(
                    "units.js",
                    "{ m.chooseUnit('" + unit.getKey() + "'); return " + json(rates)
                            + ".map(rate => [m.shortRate(rate, 4), m.exactRate(rate)]); }");
            for (int i = 0; i < CASES; i++) {
                BigDecimal shown = rates.get(i).movePointRight(places);
                BigDecimal rounded = shown.setScale(6 - places, RoundingMode.HALF_EVEN);
                assertEquals(
                        signed(rounded.signum() == 0 && shown.signum() != 0 ? plain(shown) : rounded.toPlainString()),
                        found.get(i).get(0).asText());
                assertEquals(signed(plain(shown)), found.get(i).get(1).asText());
            }
        }
        module("units.js", "m.chooseUnit('percent')");
    }

    private static String signed(String number) {
        return number.startsWith("-")
                ? "−" + number.substring(1)
                : new BigDecimal(number).signum() == 0 ? number : "+" + number;
    }

    @Test
    void columnsGiveTheRowsBack() throws Exception {
        JsonNode found = module(
                "rows.js",
                "(() => { const rows = new m.Rows({columns: ['venue', 'asset', 'funding_rate_8h', 'next_funding_ms', 'stale'],"
                        + " rows: [['a', null, '0.1000000000000000055511151231257827', 1790000000000, true], ['b', '', null, null, null]]});"
                        + " return [rows.row(0), rows.row(1), [...rows.numbers('funding_rate_8h')].map(String), rows.count,"
                        + " rows.column('unheard'), rows.select(i => i === 1).map(row => row.venue),"
                        + " new m.Rows({columns: ['venue'], rows: []}).column('venue')]; })()");
        assertEquals(
                "{\"venue\":\"a\",\"asset\":null,\"funding_rate_8h\":\"0.1000000000000000055511151231257827\","
                        + "\"next_funding_ms\":1790000000000,\"stale\":true}",
                found.get(0).toString());
        assertEquals("", found.get(1).path("asset").asText());
        assertTrue(found.get(1).path("funding_rate_8h").isNull());
        assertEquals("[\"0.1\",\"NaN\"]", found.get(2).toString());
        assertEquals(2, found.get(3).asInt());
        assertEquals("[null,null]", found.get(4).toString(), "a field that a later release may drop");
        assertEquals("[\"b\"]", found.get(5).toString());
        assertEquals(0, found.get(6).size());
    }

    @Test
    void changesLeadToRowsOfService() throws Exception {
        JsonNode found = module(
                "rows.js",
                "(() => { const columns = ['asset', 'symbol', 'venue'];"
                        + " const before = new m.Rows({columns, rows: [['1', 'B', 'ok'], ['2', 'A', 'okx'], ['3', 'C', 'okx']]});"
                        + " const after = new m.Rows({columns, delta: true, gone: [{venue: 'okx', symbol: 'A'}, {venue: 'x', symbol: 'A'}],"
                        + " rows: [['4', 'A', 'ok'], ['5', 'A', 'gate'], ['6', 'C', 'okx']]}, before);"
                        + " const whole = new m.Rows({columns, delta: false, gone: [], rows: [['7', 'D', 'okx']]}, after);"
                        + " return [before, after, whole].map(rows => rows.column('asset').join() + ' ' + rows.count); })()");
        assertEquals("[\"1,2,3 3\",\"5,4,1,6 4\",\"7 1\"]", found.toString());
    }

    @Test
    void addressesLeadToViewsAndBack() throws Exception {
        JsonNode found = module(
                "route.js",
                "['', '#/', '#/asset/BTC', '#/asset/%E2', '#/pairs?asset=ETH&scope=okx,gate', '#main', '#/nowhere'].map(hash => {"
                        + " const route = m.parseRoute(hash); return route === null ? 'none' :"
                        + " m.routeTo(route.view, Object.fromEntries(route.options), route.asset); })");
        assertEquals(
                "[\"#/\",\"#/\",\"#/asset/BTC\",\"#/asset/%25E2\",\"#/pairs?asset=ETH&scope=okx,gate\",\"none\",\"none\"]",
                found.toString());
        assertEquals(
                "/api/v1/latest?layout=columns&numbers=text&assets=A%26B&venues=okx,gate",
                module("route.js", "m.latestAddress('okx,gate', ['A&B'])").asText());
    }

    @Test
    void commandsQuoteNamesOfExchanges() throws Exception {
        JsonNode found = module(
                "pair-details.js",
                "['BTC', 'A B', \"X';y\"].map(m.receiptCommand).concat(m.settlementsCommand("
                        + "{short: {venue: 'okx', symbol: \"A'B\"}, long: {venue: 'gate', symbol: '-C'}}))");
        String receipt = "java -jar standalone/target/observatory.jar receipt ";
        assertEquals(receipt + "BTC", found.get(0).asText());
        assertEquals(receipt + "-- 'A B'", found.get(1).asText());
        assertEquals(receipt + "-- 'X'\\'';y'", found.get(2).asText());
        String settlements = found.get(3).asText();
        assertTrue(settlements.endsWith("grep -F -e 'okx|A'\\''B ' -e 'gate|-C '"), settlements);
    }

    @Test
    void scaleStepsMatchLegend() throws Exception {
        JsonNode found = module(
                "scale.js",
                "[0, 0.000019, 0.00002, 0.0001, 0.0003, 0.001, -0.00002, -0.001, NaN].map(rate => m.stepClass(rate))");
        assertEquals(
                "[\"even\",\"even\",\"long1\",\"long2\",\"long3\",\"long4\",\"short1\",\"short4\",\"none\"]",
                found.toString());
        assertEquals(
                "[-0.02,-0.01,0,0.01,0.02]",
                module("scale.js", "m.ticks(-0.02, 0.02, 4).map(x => Math.round(x * 1e6) / 1e6 + 0)")
                        .toString());
    }

    @Test
    void showsUsualContractOfSeveral() throws Exception {
        JsonNode found = module(
                "coins.js",
                "import('/source/rows.js').then(({Rows}) => {"
                        + " const row = (symbol, contract_type, quote, funding_rate_8h, stale = null, dex = null) =>"
                        + " ['v', 'A', symbol, contract_type, quote, funding_rate_8h, stale, dex];"
                        + " const rows = new Rows({columns: ['venue', 'asset', 'symbol', 'contract_type', 'quote', 'funding_rate_8h', 'stale', 'dex'],"
                        + " rows: [row('AUSD', 'inverse', 'USD', '9'), row('BUILT', 'linear', 'USDT', '3', undefined, 'x'), row('AUSDC', 'linear', 'USDC', '1'),"
                        + " row('AUSDT', 'linear', 'USDT', '2'), row('OLD', 'linear', 'USDT', '8', true)]});"
                        + " const coin = m.coins(rows)[0]; const symbols = rows.column('symbol');"
                        + " return [coin.byVenue.get('v').map(i => symbols[i]).join(), symbols[coin.high], symbols[coin.low], m.spread(coin, rows), coin.contracts]; })");
        assertEquals("AUSDT,OLD,AUSDC,BUILT,AUSD", found.get(0).asText());
        assertEquals("BUILT", found.get(1).asText(), "neither inverse nor stale");
        assertEquals("AUSDC", found.get(2).asText());
        assertEquals("2", found.get(3).asText());
        assertEquals(5, found.get(4).asInt());
    }
}
