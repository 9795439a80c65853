package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.Source;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One coin: its dots, its settlements, its table. */
@ExtendWith(Page.Extension.class)
class AssetInABrowserTest {
    private static final String SHOWN = "document.querySelectorAll('#asset-table tbody tr').length > 0"
            + " && document.querySelector('#asset-table').textContent.includes('OKX')";

    private final Page page;

    AssetInABrowserTest(Page page) {
        this.page = page;
    }

    /** A value without the spaces that put decimal points below one another. */
    private static String number(String cell) {
        return cell.replace("\u2007", "").replace("\u2008", "").strip();
    }

    @Test
    void theTableHasEveryContractWithEveryDigit() throws Exception {
        Market market = page.serve(12);
        page.open("#/asset/btc", SHOWN);
        Map<String, Rate> rows = market.rows.stream()
                .filter(row -> row.asset().equals("BTC"))
                .collect(Collectors.toMap(row -> row.venue() + " " + row.symbol(), row -> row));
        List<List<String>> table = page.browser.table("asset-table");
        assertEquals(rows.size(), table.size(), "all exchanges, not the default scope alone");
        for (int i = 0; i < table.size(); i++) {
            Rate row = rows.get(page.browser
                    .value("document.querySelectorAll('#asset-table tbody tr')[" + i + "].dataset.id")
                    .asText());
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
                assertEquals(Page.percent(basis, 4), cells.get(12), row.toString());
            }
        }
        assertEquals(
                rows.values().stream()
                        .filter(row -> row.fundingRate8h() != null)
                        .count(),
                page.browser
                        .value("document.querySelectorAll('#asset-strip .dot').length")
                        .asLong(),
                "a dot for each rate");
        page.nothingWentWrong();
    }

    private static void assertNumber(BigDecimal fraction, String cell, Rate row) {
        if (fraction == null) {
            assertTrue(cell.startsWith("– not known"), cell);
        } else {
            assertEquals(Page.exactPercent(fraction), number(cell), row.toString());
        }
    }

    private static void assertPrice(BigDecimal price, String cell, Rate row) {
        if (price == null) {
            assertTrue(cell.startsWith("– not known"), cell);
        } else {
            assertEquals(Page.plain(price), number(cell).replace(",", ""), row.toString());
        }
    }

    @Test
    @Tag("nightly")
    void labelsDoNotOverlapAndSummaryMatchesList() throws Exception {
        Market market = page.serve(12);
        page.open("#/asset/ETH", SHOWN);
        assertTrue(
                page.browser
                        .value(
                                "(() => { const boxes = [...document.querySelectorAll('#asset-strip .dot text')].map(text => text.getBoundingClientRect());"
                                        + " return boxes.every((a, i) => boxes.every((b, k) => i === k || a.right <= b.left || b.right <= a.left"
                                        + " || a.bottom - 3 <= b.top || b.bottom - 3 <= a.top)); })()")
                        .asBoolean(),
                "labels overlap");
        List<BigDecimal> rates = market.rows.stream()
                .filter(row -> row.asset().equals("ETH") && row.contractType() == ContractType.LINEAR)
                .filter(row -> row.fundingRate8h() != null && !row.venue().equals(Market.LATE))
                .map(Rate::fundingRate8h)
                .sorted()
                .toList();
        String summary = page.browser.text("#asset-summary");
        for (String part : List.of(
                Page.exactPercent(rates.getLast()) + " %",
                Page.exactPercent(rates.getFirst()) + " %",
                Page.exactPercent(rates.getLast().subtract(rates.getFirst())).substring(1) + " pp")) {
            assertTrue(summary.contains(part), part + " is not in " + summary);
        }
        String instants = page.browser.text("#asset-instants");
        long announced = market.rows.stream()
                .filter(row -> row.asset().equals("ETH") && row.nextFundingMs() != null)
                .count();
        long silent =
                market.rows.stream().filter(row -> row.asset().equals("ETH")).count() - announced;
        assertTrue(silent == 0 || instants.contains(silent + " contract"), instants);
        page.browser.value(
                "document.querySelector('#asset-strip .dot circle').dispatchEvent(new MouseEvent('click', {bubbles: true}))");
        assertEquals(
                1,
                page.browser
                        .value("document.querySelectorAll('#asset-table tr.marked').length")
                        .asInt());
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void downloadsShownRowsAsFile() throws Exception {
        long now = System.currentTimeMillis();
        Rate bare = Samples.bare("okx", "=1+1", "X", now);
        Rate full = Samples.rate("gate", "X,\"Y\"", "X", now);
        page.server.snapshot = Market.snapshot(Source.LIVE, List.of(bare, full), Market.NO_PAIRS, now);
        page.open("#/asset/X", SHOWN);
        List<String> lines = page.saved("#asset-csv").lines();
        assertEquals(3, lines.size());
        assertTrue(
                lines.getFirst().startsWith("venue,symbol,asset,quote,contract_type,asset_class,dex,funding_rate_8h,"),
                lines.getFirst());
        assertTrue(
                lines.get(1)
                        .startsWith("gate,\"X,\"\"Y\"\"\",X,USDT,linear,crypto,,0.0001,4,row,0.00005,estimate,0.1095,"),
                lines.get(1));
        assertTrue(lines.get(2).startsWith("okx,'=1+1,X,USDT,linear,,,,,,,estimate,,,,,"), lines.get(2));
    }

    private String focused(String expression) throws Exception {
        return page.browser.value("document.activeElement." + expression).asText();
    }

    @Test
    @Tag("nightly")
    void keysReachEveryDotAndItsRow() throws Exception {
        long now = System.currentTimeMillis();
        page.server.snapshot = Market.snapshot(
                Source.LIVE,
                List.of(
                        rate("okx", "0.0003", "50000", now),
                        rate("gate", "-0.0002", "50002", now),
                        rate("bybit", "0.0001", "50004", now)),
                Market.NO_PAIRS,
                now);
        page.open("#/asset/X", SHOWN);
        for (var plot : Map.of(
                        "asset-strip", List.of("gate X", "bybit X", "okx X"),
                        "asset-basis", List.of("okx X", "gate X", "bybit X"))
                .entrySet()) {
            String reached = "document.querySelectorAll('#" + plot.getKey() + " [tabindex=\"0\"]')";
            assertEquals(1, page.browser.value(reached + ".length").asInt(), "one stop of Tab");
            page.browser.value(reached + "[0].focus()");
            assertEquals(plot.getValue().get(0), focused("dataset.id"));
            page.browser.key("ArrowRight", 39);
            assertEquals(plot.getValue().get(1), focused("dataset.id"));
            assertTrue(
                    focused("getAttribute('aria-label')").matches("(Bybit|Gate) X: .* %.*"),
                    focused("getAttribute('aria-label')"));
            page.browser.key("End", 35);
            page.browser.key("ArrowRight", 39);
            assertEquals(plot.getValue().get(2), focused("dataset.id"), "the last dot stays");
            // The plot is drawn again with each response.
            page.browser.value("dispatchEvent(new Event('resize'))");
            assertEquals(plot.getValue().get(2), focused("dataset.id"), "the focus outlasts another drawing");
            assertEquals(1, page.browser.value(reached + ".length").asInt());
            page.browser.key("Enter", 13);
            assertEquals("TR", focused("tagName"));
            assertEquals(plot.getValue().get(2), focused("dataset.id"));
            assertEquals("marked", focused("className"));
        }
        assertEquals(
                1,
                page.browser
                        .value("document.querySelectorAll('#asset-table tr.marked').length")
                        .asInt());
        page.accessible("a marked row");
        page.nothingWentWrong();
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
        page.browser
                .value("[...document.querySelectorAll('#asset-table tbody tr')].map(row =>"
                        + " [row.dataset.id, row.cells[1].querySelector('a')?.href ?? ''])")
                .forEach(row -> links.put(row.get(0).asText(), row.get(1).asText()));
        return links;
    }

    @Test
    void contractsLeadToPagesOfTheirVenues() throws Exception {
        long now = System.currentTimeMillis();
        page.server.snapshot = Market.snapshot(
                Source.LIVE,
                List.of(
                        Samples.bare("okx", "X-USDT-SWAP", "X", now),
                        Samples.bare("hyperliquid", "xyz:X", "X", now),
                        Samples.bare("binance", "X/\"?'USDT", "X", now),
                        Samples.bare("deepcoin", "X-USDT-SWAP", "X", now),
                        Market.row("bybit", "XUSD", "X", "0.0001", 8, now, "contract_type", ContractType.INVERSE)),
                Market.NO_PAIRS,
                now);
        page.open("#/asset/X", SHOWN);
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
                page.browser
                        .value("(a => a.rel + ' ' + a.target)(document.querySelector('#asset-table tbody a'))")
                        .asText());
        page.nothingWentWrong();
    }

    private static final String USUAL = "[...document.querySelectorAll('#asset-table thead th')].findIndex(th =>"
            + " th.textContent.startsWith('Against its 30 days'))";

    private static RatePercentiles percentiles(String p10, String p50, String p90) {
        return new RatePercentiles(new BigDecimal(p10), new BigDecimal(p50), new BigDecimal(p90));
    }

    @Test
    void showsRateAgainstIts30Days() throws Exception {
        page.serve(12);
        page.open("#/asset/BTC", SHOWN);
        page.await("the pairs", () -> page.requests("/api/v1/carry") > 0);
        assertEquals(-1, page.browser.value(USUAL).asInt(), "a service without percentiles has no such column");
        page.serve(new Market(
                12,
                System.currentTimeMillis(),
                Map.of(
                        "okx", percentiles("-1", "-0.5", "-0.25"),
                        "gate", percentiles("-1", "0.00001", "1"),
                        "bybit", percentiles("0.5", "0.75", "1"))));
        page.open("#/asset/BTC?sort=usual", SHOWN + " && " + USUAL + " > 0");
        var shown = new HashMap<String, String>();
        page.browser
                .value(
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
                page.browser
                        .value(
                                "(row => { const [band, middle, now] = [...row.querySelectorAll('.usual i')].map(one => one.getBoundingClientRect());"
                                        + " return [band.left < middle.left, middle.right < band.right, now.left > band.right]; })"
                                        + "(document.querySelector('#asset-table [data-id=\"okx BTCUSDT\"]'))")
                        .toString(),
                "median within the band, the rate to the right of it");
        page.accessible("a picture of each contract");
        page.nothingWentWrong();
    }

    @Test
    void reportsUnlistedAssetAndEscapesHostileName() throws Exception {
        page.serve(12);
        page.open("#/asset/%3Cb%3ENOPE", "document.querySelector('#asset-none')?.hidden === false");
        assertTrue(
                page.browser.text("#asset-none").startsWith("No contract of <b>NOPE"),
                page.browser.text("#asset-none"));
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void isAccessibleInBothThemesAndOnPhone() throws Exception {
        page.serve(12);
        page.open("#/asset/BTC", SHOWN);
        page.picture("asset-light.webp");
        page.open("#/asset/LTC", SHOWN);
        page.accessibleInEveryLook();
        page.nothingWentWrong();
    }
}
