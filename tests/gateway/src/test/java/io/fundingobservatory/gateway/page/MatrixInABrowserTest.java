package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.Source;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Coins by exchanges, as people see and use them. */
class MatrixInABrowserTest extends PageTest {
    /** Asset, spread, highest, lowest, next. */
    private static final int BEFORE_VENUES = 5;

    private static final DateTimeFormatter FILE_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /** Value and second line of each cell in view, by coin and heading. */
    private Map<String, String> cells() throws Exception {
        var cells = new HashMap<String, String>();
        value(
                        "(() => { const heads = [...document.querySelector('#matrix-table').tHead.rows[0].cells]"
                                + ".map(cell => cell.querySelector('button').textContent);"
                                + "return [...document.querySelector('#matrix-table').tBodies[1].rows].flatMap(row =>"
                                + " [...row.cells].slice(1).map((cell, i) => [row.cells[0].querySelector('a').textContent + ' ' + heads[i + 1],"
                                + " (cell.children[0]?.textContent ?? '') + '|' + (cell.children[1]?.textContent ?? '')])); })()")
                .forEach(cell -> cells.put(cell.get(0).asText(), cell.get(1).asText()));
        return cells;
    }

    private List<String> coins() throws Exception {
        return texts("#matrix-table tbody th a");
    }

    private static Rate row(String venue, String symbol, String asset, String rateOf4Hours, long readMs) {
        String eight = new BigDecimal(rateOf4Hours).multiply(BigDecimal.TWO).toPlainString();
        return Market.row(venue, symbol, asset, eight, 4, readMs, "mark_price", new BigDecimal("9"));
    }

    @Test
    void showsEveryNumberAsServed() throws Exception {
        long now = System.currentTimeMillis();
        var random = new Random(48);
        List<String> edges = List.of(
                "0",
                "0.0000000025",
                "0.0000000075",
                "-0.00000025",
                "0.00000024999999999999",
                "0.000000000000000001",
                "-0.000000000000000001",
                "-0.03",
                "6",
                "0.1000000000000000055511151231257827",
                "0.12345678901234567890123");
        var rows = new ArrayList<Rate>();
        for (int i = 0; i < 30; i++) {
            rows.add(row(
                    "okx",
                    "S" + i,
                    "A" + i,
                    i < edges.size()
                            ? edges.get(i)
                            : new BigDecimal(new BigInteger(60, random), 19 + random.nextInt(4)).toPlainString(),
                    now - 5_000));
        }
        server.snapshot = Market.snapshot(Source.LIVE, rows, null, now);
        browser.look(1440, 2000, 1, false, "light");
        for (String show : List.of("", "native", "year")) {
            openMatrix("#/?scope=okx&show=" + show);
            Map<String, String> cells = cells();
            for (Rate row : rows) {
                BigDecimal number = switch (show) {
                    case "native" -> row.fundingRate();
                    case "year" -> row.fundingRateAnnualised();
                    default -> row.fundingRate8h();
                };
                String expected = percent(number, show.equals("year") ? 2 : 4);
                String cell = cells.get(row.asset() + " OKX");
                assertTrue(cell.startsWith(expected + "|4h fix "), row + ": " + cell + " is not " + expected);
            }
        }
        assertEquals("Live", shown("#source-word"));
    }

    @Test
    void cellOpensContractWithEveryDigit() throws Exception {
        long now = System.currentTimeMillis();
        Rate stale = row("okx", "<img src=x onerror=alert(1)>", "X", "0.00012345678912345", now - 300_000);
        server.snapshot =
                Market.snapshot(Source.LIVE, List.of(stale, Samples.rate("binance", "XUSDT", "X", now)), null, now);
        openMatrix("");
        value(
                "[...document.querySelectorAll('#matrix-table tbody td')].find(cell => cell.className.includes('stale')).focus()");
        String whole = shown("#matrix-inspector");
        assertContains(
                whole,
                "X at OKX <img src=x onerror=alert(1)>, linear",
                "+0.02469135782469 %",
                "0.0002469135782469",
                "+0.012345678912345 % per 4 h",
                "fixed: applies to the next settlement",
                "not known: the exchange announces none",
                "9 USDT",
                "not known: the exchange published no index price",
                "stale: older than 180 s");
    }

    @Test
    void missingVenueHasColumnWithReason() throws Exception {
        serve(30);
        openMatrix("");
        assertEquals(
                "Deribit|HTTP 403 <b>",
                text("(() => { const cell = document.querySelector('#matrix-table thead th.absent');"
                        + " return cell.children[0].textContent + '|' + cell.children[1].textContent; })()"));
        assertEquals(
                ListedVenue.ALL.stream().filter(ListedVenue::defaultScope).count(),
                count("#matrix-table thead th.venue"));
        assertTrue(shown("#coverage").startsWith("23 of 24 here"), shown("#coverage"));
        assertEquals("SIMULATED No rate or price on this page is real.", shown("#source p"));
        assertTrue(text("document.title").startsWith("SIMULATED"));

        click("#matrix button[data-scope=all]");
        await("all", "document.querySelectorAll('#matrix-table thead th.venue').length === " + ListedVenue.ALL.size());
        assertEquals("#/?scope=all", text("location.hash"));
        assertTrue(browser.requests.stream()
                .anyMatch(request -> "layout=columns&numbers=text&venues=all".equals(request.getRawQuery())));
    }

    @Test
    void observedVenueWithoutNamedAssetIsNotMissing() throws Exception {
        long now = System.currentTimeMillis();
        serve(null, now, Samples.rate("okx", "BBB", "BBB", now), Samples.rate("bybit", "AAA", "AAA", now));
        openMatrix("#/?scope=okx,bybit,deribit&assets=AAA");
        assertEquals(List.of("Deribit"), texts("#matrix-table th.absent button"));
        assertTrue(shown("#matrix-count").endsWith(", 1 exchange missing"));
        value("(() => { const table = document.querySelector('#matrix-table');"
                + " const column = [...table.tHead.rows[0].cells].findIndex(cell => cell.textContent.startsWith('OKX'));"
                + " table.tBodies[1].rows[0].cells[column].focus(); })()");
        String opened = shown("#matrix-inspector").replaceAll("\\s+", " ");
        assertTrue(opened.startsWith("AAA at OKX no matching row"), opened);
    }

    @Test
    @Tag("nightly")
    void fragmentStoresSearchOrderAndFilter() throws Exception {
        serve(120);
        openMatrix("");
        assertEquals(List.of("BTC", "ETH", "SOL"), coins().subList(0, 3));
        focus("#find");
        browser.write("c1");
        await(
                "the filter",
                "[...document.querySelectorAll('#matrix-table tbody th a')].every(link => link.textContent.startsWith('C1'))");
        assertTrue(text("location.hash").contains("find=c1"));
        browser.write("zz");
        await("nothing", "!document.querySelector('#matrix-none').hidden");
        assertTrue(shown("#matrix-none").contains("Look for C1ZZ at all exchanges"));

        openMatrix("#/?sort=spread&order=down");
        List<BigDecimal> spreads = texts("#matrix-table tbody td.spread b").stream()
                .map(BigDecimal::new)
                .toList();
        assertTrue(spreads.size() > 10);
        assertEquals(spreads.stream().sorted(Comparator.reverseOrder()).toList(), spreads);

        value("location.hash = '#/?kind=fixed&interval=4'");
        await(
                "only fixed rates of 4 hours",
                "[...document.querySelectorAll('#matrix-table td.cell small')].filter(cell => cell.textContent)"
                        + ".every(cell => cell.textContent.startsWith('4h fix'))");
    }

    @Test
    @Tag("nightly")
    void theClassThatExchangesStateFilters() throws Exception {
        long now = System.currentTimeMillis();
        serve(
                null,
                now,
                Samples.rate("okx", "TSLA", "TSLA", AssetClass.EQUITY, now),
                Samples.rate("okx", "BTC", "BTC", AssetClass.CRYPTO, now),
                Samples.rate("gate", "TSLA", "TSLA", null, now),
                Samples.rate("gate", "ODD", "ODD", null, now));
        openMatrix("#/?scope=okx,gate");
        assertEquals(3, coins().size());
        choose("#matrix-class", "equity");
        await("the share alone", () -> coins().equals(List.of("TSLA")));
        assertTrue(text("location.hash").contains("class=equity"));
        assertEquals(
                "1 of 2", shown("#matrix-table tbody th small"), "a contract whose class is not stated is left out");
    }

    private static Rate due(String venue, String asset, @Nullable Long nextMs, long readMs) {
        return Market.row(venue, asset + "USDT", asset, "0.0001", 8, readMs, "next_funding_ms", nextMs);
    }

    @Test
    @Tag("nightly")
    void assetsAreOrderedByTheirNextSettlement() throws Exception {
        long now = System.currentTimeMillis();
        long minute = 60_000;
        serve(
                null,
                now,
                due("binance", "AAA", now + 300 * minute, now),
                due("okx", "AAA", now + 200 * minute, now),
                due("okx", "BBB", now + 30 * minute, now),
                due("gate", "BBB", null, now),
                due("okx", "CCC", null, now),
                // Announced and past: it is not the next one.
                due("okx", "DDD", now - minute, now),
                due("gate", "DDD", now + 400 * minute, now));
        openMatrix("");
        choose("#matrix-sort", "next");
        await("the order", () -> coins().equals(List.of("BBB", "AAA", "DDD", "CCC")));
        assertTrue(text("location.hash").contains("sort=next"));
        Map<String, String> cells = cells();
        assertTrue(cells.get("BBB Next").matches("in (29|30) min\\|OKX"), cells.get("BBB Next"));
        assertTrue(cells.get("AAA Next").matches("in 3 h (19|20) min\\|OKX"), cells.get("AAA Next"));
        assertTrue(cells.get("DDD Next").startsWith("in 6 h "), cells.get("DDD Next"));
        assertEquals("–|", cells.get("CCC Next"));
        click("[data-key=next]");
        await("the latest first, unknown last", () -> coins().equals(List.of("DDD", "AAA", "BBB", "CCC")));
    }

    @Test
    @Tag("nightly")
    void shownContractsAreTakenAsAFile() throws Exception {
        long now = System.currentTimeMillis();
        serve(
                null,
                now,
                row("okx", "XUSDT", "X", "0.00012345678912345", now - 300_000),
                row("gate", "X_USDT", "X", "-0.0000000000000001", now),
                row("bybit", "XUSDT", "X", "0.0002", now),
                row("okx", "=Y", "=Y", "0.0004", now));
        openMatrix("#/?scope=okx,gate,bybit&sort=asset&order=down");
        Saved all = saved("#matrix-csv");
        assertEquals("rates-" + FILE_TIME.format(Instant.ofEpochMilli(now)) + ".csv", all.name());
        assertTrue(
                all.lines()
                        .get(0)
                        .matches(
                                "venue,symbol,asset,quote,contract_type,.*,funding_rate_8h,funding_interval_h,.*,observed_at_ms,stale,asset_class_by_asset"),
                all.lines().get(0));
        List<String> expected = List.of(
                "bybit,XUSDT,X,USDT,linear,,,0.0004,4,row,0.0002,fixed,.*," + now + ",,",
                "gate,X_USDT,X,USDT,linear,,,-0.0000000000000002,4,row,-0.0000000000000001,fixed,.*," + now + ",,",
                "okx,XUSDT,X,USDT,linear,,,0.00024691357824690,4,row,0.00012345678912345,fixed,.*," + (now - 300_000)
                        + ",true,",
                "okx,'=Y,'=Y,USDT,linear,,,0.0008,4,row,0.0004,fixed,.*," + now + ",,");
        assertEquals(expected.size() + 1, all.lines().size());
        for (int i = 0; i < expected.size(); i++) {
            String line = all.lines().get(i + 1);
            assertTrue(line.matches(expected.get(i)), line);
        }
        openMatrix("#/?scope=okx,gate,bybit&sort=asset&order=down&find=x");
        assertEquals(4, saved("#matrix-csv").lines().size(), "what is filtered out is not in the file");
    }

    /** What the highest and the lowest rate of a coin are taken from, the lowest first. */
    private static List<BigDecimal> linearRates(Market market, String coin) {
        return market.rows.stream()
                .filter(row -> row.asset().equals(coin) && row.contractType() == ContractType.LINEAR)
                .filter(row -> row.fundingRate8h() != null && !row.venue().equals(Market.LATE))
                .filter(MatrixInABrowserTest::inDefaultScope)
                .map(Rate::fundingRate8h)
                .sorted()
                .toList();
    }

    private static boolean inDefaultScope(Rate row) {
        return ListedVenue.ALL.stream().anyMatch(venue -> venue.id().equals(row.venue()) && venue.defaultScope());
    }

    @Test
    @Tag("nightly")
    void showsRightRowsWhereverScrolled() throws Exception {
        Market market = serve(300);
        openMatrix("#/?sort=asset&order=up");
        List<String> names = market.rows.stream()
                .filter(MatrixInABrowserTest::inDefaultScope)
                .map(Rate::asset)
                .distinct()
                .sorted()
                .toList();
        // Further than what is in view, less far, and back.
        for (int top : List.of(5_000, 5_190, 9_000, 8_620, 0)) {
            value("document.querySelector('#matrix-scroll').scrollTop = " + top);
            int first = top / 38;
            await("row " + first, "document.querySelector('#matrix-table tr[data-i=\"" + first + "\"]') !== null");
            JsonNode rows = value(
                    "[...document.querySelector('#matrix-table').tBodies[1].rows].map(row => [row.dataset.i,"
                            + " row.getAttribute('aria-rowindex'), row.querySelector('a').textContent, row.cells[2].firstElementChild.textContent])");
            assertTrue(rows.size() > 12, rows.toString());
            int before = -1;
            for (JsonNode row : rows) {
                int place = row.get(0).asInt();
                assertTrue(place > before, rows.toString());
                before = place;
                assertEquals(place + 2, row.get(1).asInt());
                assertEquals(names.get(place), row.get(2).asText());
                assertEquals(
                        percent(linearRates(market, names.get(place)).getLast(), 4),
                        row.get(3).asText());
            }
            assertEquals(
                    top, number("document.querySelector('#matrix-scroll').scrollTop"), "it stays where it was put");
        }
    }

    @Test
    @Tag("nightly")
    void keysReachEveryCellAndStoreWatchList() throws Exception {
        serve(300);
        openMatrix("");
        value("localStorage.clear()");
        focus("#matrix-table [tabindex=\"0\"]");
        browser.key("ArrowDown", 40);
        browser.key("End", 35);
        browser.key("PageDown", 34);
        browser.key("PageDown", 34);
        long row = number("Number(document.activeElement.parentElement.dataset.i)");
        assertTrue(row > 20, "row " + row);
        assertEquals(BEFORE_VENUES + 24 - 1, number("document.activeElement.cellIndex"), "the last column");
        assertTrue(
                holds(
                        "(() => { const at = document.activeElement.getBoundingClientRect(); const box ="
                                + " document.querySelector('#matrix-scroll').getBoundingClientRect();"
                                + " return at.top >= box.top + 30 && at.bottom <= box.bottom + 1 && at.right <= box.right + 1; })()"),
                "in view, below the headings");
        assertTrue(shown("#matrix-inspector").contains("Deribit is missing"));
        browser.key("Home", 36);
        String coin = text("document.activeElement.querySelector('a').textContent");
        browser.key("w", 87);
        assertEquals("[\"" + coin + "\"]", text("localStorage.getItem('watch-list')"));
        click("#matrix-watch");
        await("the watch-list alone", () -> coins().equals(List.of(coin)));
        assertTrue(text("location.hash").contains("assets=" + coin));
        reload();
        await("the same after a reload", () -> coins().equals(List.of(coin)));
        assertTrue(
                browser.requests.stream()
                        .anyMatch(request ->
                                ("layout=columns&numbers=text&assets=" + coin).equals(request.getRawQuery())),
                "a few coins are requested by name");
        focus("#matrix-table tbody th");
        browser.key("Enter", 13);
        await("the coin", "location.hash === '#/asset/" + coin + "' && !document.querySelector('#asset').hidden");
        value("localStorage.clear()");
    }

    @Test
    @Tag("nightly")
    void isAccessibleInBothThemesAndOnPhone() throws Exception {
        serve(60);
        openMatrix("");
        picture("matrix-light.webp");
        serve(8);
        openMatrix("#/?scope=htx,okx,binance,deribit,lbank,grvt");
        focus("#matrix-table tbody td.long2, #matrix-table tbody td.cell");
        accessibleInEveryLook();
        assertTrue(number("document.querySelector('#matrix-scroll').clientHeight") > 300, "rows on a phone");
    }
}
