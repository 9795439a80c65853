package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One coin: its dots, its settlements, its table. */
class AssetInABrowserTest extends PageTest {
    private static final String SHOWN = "document.querySelectorAll('#asset-table tbody tr').length > 0"
            + " && document.querySelector('#asset-table').textContent.includes('OKX')";

    @Test
    void theTableHasEveryContractWithEveryDigit() throws Exception {
        Market market = serve(12);
        open("#/asset/btc", SHOWN);
        Map<String, Rate> rows = market.rows.stream()
                .filter(row -> row.asset().equals("BTC"))
                .collect(Collectors.toMap(row -> row.venue() + " " + row.symbol(), row -> row));
        List<List<String>> table = browser.table("asset-table");
        assertEquals(rows.size(), table.size(), "all exchanges, not the default scope alone");
        for (int i = 0; i < table.size(); i++) {
            Rate row = rows.get(text("document.querySelectorAll('#asset-table tbody tr')[" + i + "].dataset.id"));
            List<String> cells = table.get(i);
            assertEquals(row.symbol(), cells.get(1));
            assertEquals(row.contractType(), ContractType.valueOf(cells.get(2).toUpperCase(java.util.Locale.ROOT)));
            assertNumber(row.fundingRate8h(), cells.get(3), row);
            assertNumber(row.fundingRate(), cells.get(4), row);
            assertPrice(row.markPrice(), cells.get(9), row);
            assertPrice(row.indexPrice(), cells.get(10), row);
            if (row.markPrice() != null && row.indexPrice() != null) {
                BigDecimal basis = row.markPrice()
                        .divide(row.indexPrice(), 8, RoundingMode.HALF_EVEN)
                        .subtract(BigDecimal.ONE);
                assertEquals(percent(basis, 4), cells.get(12), row.toString());
            }
        }
        assertEquals(
                rows.values().stream()
                        .filter(row -> row.fundingRate8h() != null)
                        .count(),
                count("#asset-strip .dot"),
                "a dot for each rate");
    }

    private static void assertNumber(BigDecimal fraction, String cell, Rate row) {
        if (fraction == null) {
            assertTrue(cell.startsWith("– not known"), cell);
        } else {
            assertEquals(exactPercent(fraction), unpadded(cell), row.toString());
        }
    }

    private static void assertPrice(BigDecimal price, String cell, Rate row) {
        if (price == null) {
            assertTrue(cell.startsWith("– not known"), cell);
        } else {
            assertEquals(plain(price), unpadded(cell).replace(",", ""), row.toString());
        }
    }

    @Test
    @Tag("nightly")
    void labelsDoNotOverlapAndSummaryMatchesList() throws Exception {
        Market market = serve(12);
        open("#/asset/ETH", SHOWN);
        assertTrue(
                holds(
                        "(() => { const boxes = [...document.querySelectorAll('#asset-strip .dot text')].map(text => text.getBoundingClientRect());"
                                + " return boxes.every((a, i) => boxes.every((b, k) => i === k || a.right <= b.left || b.right <= a.left"
                                + " || a.bottom - 3 <= b.top || b.bottom - 3 <= a.top)); })()"),
                "labels overlap");
        List<BigDecimal> rates = market.rows.stream()
                .filter(row -> row.asset().equals("ETH") && row.contractType() == ContractType.LINEAR)
                .filter(row -> row.fundingRate8h() != null && !row.venue().equals(Market.LATE))
                .map(Rate::fundingRate8h)
                .sorted()
                .toList();
        String summary = shown("#asset-summary");
        assertContains(
                summary,
                exactPercent(rates.getLast()) + " %",
                exactPercent(rates.getFirst()) + " %",
                exactPercent(rates.getLast().subtract(rates.getFirst())).substring(1) + " pp");
        String instants = shown("#asset-instants");
        long announced = market.rows.stream()
                .filter(row -> row.asset().equals("ETH") && row.nextFundingMs() != null)
                .count();
        long silent =
                market.rows.stream().filter(row -> row.asset().equals("ETH")).count() - announced;
        assertTrue(silent == 0 || instants.contains(silent + " contract"), instants);
        value(
                "document.querySelector('#asset-strip .dot circle').dispatchEvent(new MouseEvent('click', {bubbles: true}))");
        assertEquals(1, count("#asset-table tr.marked"));
    }

    @Test
    @Tag("nightly")
    void downloadsShownRowsAsFile() throws Exception {
        long now = System.currentTimeMillis();
        Rate bare = Samples.bare("okx", "=1+1", "X", now);
        Rate full = Samples.rate("gate", "X,\"Y\"", "X", now);
        serve(Market.NO_PAIRS, now, bare, full);
        open("#/asset/X", SHOWN);
        List<String> lines = saved("#asset-csv").lines();
        assertEquals(3, lines.size());
        assertTrue(
                lines.getFirst().startsWith("venue,symbol,asset,quote,contract_type,asset_class,dex,funding_rate_8h,"),
                lines.getFirst());
        assertTrue(
                lines.get(1)
                        .startsWith("gate,\"X,\"\"Y\"\"\",X,USDT,linear,crypto,,0.0001,4,row,0.00005,estimate,0.1095,"),
                lines.get(1));
        assertTrue(lines.get(2).startsWith("okx,'=1+1,X,USDT,linear,,,,,,,estimate,,"), lines.get(2));
    }

    private String focused(String expression) throws Exception {
        return text("document.activeElement." + expression);
    }

    @Test
    @Tag("nightly")
    void keysReachEveryDotAndItsRow() throws Exception {
        long now = System.currentTimeMillis();
        serve(
                Market.NO_PAIRS,
                now,
                rate("okx", "0.0003", "50000", now),
                rate("gate", "-0.0002", "50002", now),
                rate("bybit", "0.0001", "50004", now));
        open("#/asset/X", SHOWN);
        for (var plot : Map.of(
                        "asset-strip", List.of("gate X", "bybit X", "okx X"),
                        "asset-basis", List.of("okx X", "gate X", "bybit X"))
                .entrySet()) {
            String reached = "document.querySelectorAll('#" + plot.getKey() + " [tabindex=\"0\"]')";
            assertEquals(1, number(reached + ".length"), "one stop of Tab");
            value(reached + "[0].focus()");
            assertEquals(plot.getValue().get(0), focused("dataset.id"));
            browser.key("ArrowRight", 39);
            assertEquals(plot.getValue().get(1), focused("dataset.id"));
            assertTrue(
                    focused("getAttribute('aria-label')").matches("(Bybit|Gate) X: .* %.*"),
                    focused("getAttribute('aria-label')"));
            browser.key("End", 35);
            browser.key("ArrowRight", 39);
            assertEquals(plot.getValue().get(2), focused("dataset.id"), "the last dot stays");
            // The plot is drawn again with each response.
            value("dispatchEvent(new Event('resize'))");
            assertEquals(plot.getValue().get(2), focused("dataset.id"), "the focus outlasts another drawing");
            assertEquals(1, number(reached + ".length"));
            browser.key("Enter", 13);
            assertEquals("TR", focused("tagName"));
            assertEquals(plot.getValue().get(2), focused("dataset.id"));
            assertEquals("marked", focused("className"));
        }
        assertEquals(1, count("#asset-table tr.marked"));
        accessible("a marked row");
    }

    private static Rate rate(String venue, String eight, String mark, long now) {
        return Market.row(
                venue,
                "X",
                "X",
                eight,
                8,
                now - 1_000,
                "next_funding_ms",
                now + 3_600_000,
                "mark_price",
                new BigDecimal(mark),
                "index_price",
                new BigDecimal(50_000));
    }

    /** Symbols of contracts as links: by exchange and symbol, where they lead. */
    private Map<String, String> links() throws Exception {
        var links = new HashMap<String, String>();
        value("[...document.querySelectorAll('#asset-table tbody tr')].map(row =>"
                        + " [row.dataset.id, row.cells[1].querySelector('a')?.href ?? ''])")
                .forEach(row -> links.put(row.get(0).asText(), row.get(1).asText()));
        return links;
    }

    @Test
    void contractsLeadToPagesOfTheirVenues() throws Exception {
        long now = System.currentTimeMillis();
        serve(
                Market.NO_PAIRS,
                now,
                Samples.bare("okx", "X-USDT-SWAP", "X", now),
                Samples.bare("hyperliquid", "xyz:X", "X", now),
                Samples.bare("binance", "X/\"?'USDT", "X", now),
                Samples.bare("deepcoin", "X-USDT-SWAP", "X", now),
                Market.row("bybit", "XUSD", "X", "0.0001", 8, now, "contract_type", ContractType.INVERSE));
        open("#/asset/X", SHOWN);
        assertEquals(
                Map.of(
                        "okx X-USDT-SWAP", "https://www.okx.com/trade-swap/x-usdt-swap",
                        "hyperliquid xyz:X", "https://app.hyperliquid.xyz/trade/xyz%3AX",
                        "binance X/\"?'USDT", "https://www.binance.com/en/futures/X%2F%22%3F'USDT",
                        "deepcoin X-USDT-SWAP", "",
                        "bybit XUSD", ""),
                links());
        assertEquals(
                "noreferrer noopener _blank",
                text("(a => a.rel + ' ' + a.target)(document.querySelector('#asset-table tbody a'))"));
    }

    private static final String USUAL = "[...document.querySelectorAll('#asset-table thead th')].findIndex(th =>"
            + " th.textContent.startsWith('Against its 30 days'))";

    private static RatePercentiles percentiles(String p10, String p50, String p90) {
        return new RatePercentiles(new BigDecimal(p10), new BigDecimal(p50), new BigDecimal(p90));
    }

    @Test
    void showsRateAgainstIts30Days() throws Exception {
        serve(12);
        open("#/asset/BTC", SHOWN);
        await("the pairs", () -> requests("/api/v1/carry") > 0);
        assertEquals(-1, number(USUAL), "a service without percentiles has no such column");
        serve(new Market(
                12,
                System.currentTimeMillis(),
                Map.of(
                        "okx", percentiles("-1", "-0.5", "-0.25"),
                        "gate", percentiles("-1", "0.00001", "1"),
                        "bybit", percentiles("0.5", "0.75", "1"))));
        open("#/asset/BTC?sort=usual", SHOWN + " && " + USUAL + " > 0");
        var shown = new HashMap<String, String>();
        value(
                        "[...document.querySelectorAll('#asset-table tbody tr')].filter(row => row.cells[2].textContent === 'linear')"
                                + ".map(row => [row.dataset.id, row.cells[" + USUAL + "].textContent])")
                .forEach(row -> shown.put(row.get(0).asText(), row.get(1).asText()));
        assertEquals(
                "high: 10th percentile −100.0000 %, median −50.0000 %, 90th percentile −25.0000 %",
                shown.get("okx BTCUSDT"));
        assertEquals(
                "usual: 10th percentile −100.0000 %, median +0.0010 %, 90th percentile +100.0000 %",
                shown.get("gate BTCUSDT"));
        assertEquals(
                "low: 10th percentile +50.0000 %, median +75.0000 %, 90th percentile +100.0000 %",
                shown.get("bybit BTCUSDT"));
        assertTrue(shown.get("kraken BTCUSDT").startsWith("– not known: fewer than 30 whole days"), shown.toString());
        assertEquals(
                "[true,true,true]",
                value(
                                "(row => { const [band, middle, now] = [...row.querySelectorAll('.usual i')].map(one => one.getBoundingClientRect());"
                                        + " return [band.left < middle.left, middle.right < band.right, now.left > band.right]; })"
                                        + "(document.querySelector('#asset-table [data-id=\"okx BTCUSDT\"]'))")
                        .toString(),
                "median within the band, the rate to the right of it");
        accessible("a picture of each contract");
    }

    @Test
    void reportsUnlistedAssetAndEscapesHostileName() throws Exception {
        serve(12);
        open("#/asset/%3Cb%3ENOPE", "document.querySelector('#asset-none')?.hidden === false");
        assertTrue(shown("#asset-none").startsWith("No contract of <b>NOPE"), shown("#asset-none"));
    }

    @Test
    @Tag("nightly")
    void isAccessibleInBothThemesAndOnPhone() throws Exception {
        serve(12);
        open("#/asset/BTC", SHOWN);
        picture("asset-light.webp");
        open("#/asset/LTC", SHOWN);
        accessibleInEveryLook();
    }
}
