package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.records.Source;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ranking of pairs, those that are not ranked, and one pair opened. */
class PairsInABrowserTest extends PageTest {
    private static final String SHOWN = "document.querySelectorAll('#pairs-table tbody tr').length > 0"
            + " && document.querySelector('#pairs-venue').options.length === 49";
    private static final String RECEIPT = "ab".repeat(32);

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private long windowEndMs;

    @BeforeEach
    void threePairs() {
        long now = System.currentTimeMillis();
        long end = now / 3_600_000 * 3_600_000;
        windowEndMs = end;
        CarryPair complete = Samples.pair(
                Samples.leg("binance", "BTCUSDT", "-0.00123456", 0, end),
                Samples.leg("okx", "BTC-USDT-SWAP", "0.03456789012345", 0, end),
                30,
                null);
        CarryPair short12 = Samples.pair(
                Samples.leg("binance", "BTCUSDT", "0.001", 0, end),
                Samples.leg("gate", "BTC_USDT", "0.002", 54, end),
                12,
                "listed_in_window");
        CarryPair outside = Samples.pair(
                Samples.leg("lbank", "BTCUSDT", "0.001", 0, end),
                Samples.leg("okx", "BTC-USDT-SWAP", "0.03456789012345", 0, end),
                30,
                null);
        var refused = new CarryRefusal(
                "bybit",
                "BTCUSDT",
                new BigDecimal("92517.5"),
                "okx",
                "BTC-USDT-SWAP",
                new BigDecimal("0.0023"),
                "prices_disagree");
        PairRanking ranking = Samples.ranking(
                List.of(Samples.table("BTC", end, List.of(complete, short12, outside), List.of(refused))));
        serve(
                ranking,
                now,
                Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now),
                Samples.rate("binance", "BTCUSDT", "BTC", now),
                Samples.rate("lbank", "BTCUSDT", "BTC", now));
    }

    @Test
    void rankedPairShowsSumsAndOpensReceipt() throws Exception {
        open("#/pairs", SHOWN);
        List<List<String>> table = browser.table("pairs-table");
        assertEquals(1, table.size());
        List<String> cells = table.getFirst();
        assertEquals("1", cells.getFirst());
        assertEquals("BTC", cells.get(1));
        assertEquals("OKXBTC-USDT-SWAP", cells.get(3));
        assertEquals("BinanceBTCUSDT", cells.get(4));
        BigDecimal difference = new BigDecimal("0.03456789012345").subtract(new BigDecimal("-0.00123456"));
        assertEquals(percent(difference, 4), cells.get(2));
        assertEquals("short +3.4568long −0.1235", cells.get(5));
        assertEquals("+43.56", cells.get(6), "3.5802… × 365 / 30");
        assertEquals("15 of 30", cells.get(7));
        assertEquals("0.0000 turned", cells.get(8), "no difference now is not the same sign");
        assertEquals("1", cells.get(9).replaceAll("\\.0+$", ""));
        assertEquals("8 h", cells.get(10));
        assertTrue(cells.get(11).startsWith("in "), cells.get(11));
        assertEquals("90 of 90", cells.get(12));
        assertEquals("3 / 3", cells.get(13));
        assertTrue(shown("#pairs-count").contains("1 more at exchanges outside this scope"));

        click("#pairs-table button.open");
        String opened = shown("#pairs-table tr.opened");
        assertContains(
                opened,
                RECEIPT,
                "+3.456789012345 %",
                "0.03456789012345",
                "USDT",
                "last 7 days: +3.580245012345 %",
                "last 24 hours: ",
                "best day: +3.580245012345 % in the 24 hours after",
                "fees of four trades",
                "observatory.jar receipt BTC",
                "binance|BTCUSDT",
                "estimate: the last raw quote before the settlement");
        assertTrue(text("location.hash").contains("pair=okx:BTC-USDT-SWAP"));
        reload();
        await("it is open after a reload", "document.querySelector('#pairs-table tr.opened') !== null");
    }

    @Test
    void unrankedPairsHaveReasonsAndFiltersApply() throws Exception {
        open("#/pairs?list=incomplete", SHOWN);
        List<String> cells = browser.table("pairs-table").getFirst();
        assertEquals("12 of 30", cells.get(3));
        assertTrue(cells.get(5).startsWith("history being read the settled history of a leg"), cells.get(5));
        assertTrue(shown("#pairs-window").contains("provisional: settled history of"), "still being read");
        assertTrue(cells.get(6).startsWith("36 of 90 / 90 of 90"), cells.get(6));

        click("#pairs-lists [data-list=refused]");
        await("refused", "document.querySelector('#pairs-table').className === 'refused'");
        assertEquals(
                List.of("BTC", "BybitBTCUSDT", "92,517.5", "OKXBTC-USDT-SWAP", "0.0023", "prices disagree"),
                browser.table("pairs-table").getFirst());

        open("#/pairs?scope=all&venue=lbank", SHOWN);
        await(
                "LBank's pair",
                () -> browser.table("pairs-table").size() == 1
                        && browser.table("pairs-table").getFirst().get(4).startsWith("LBank"));
        open("#/pairs?venue=okx&with=lbank", SHOWN);
        await(
                "the pairs of two exchanges",
                () -> browser.requests.stream()
                        .anyMatch(request -> "numbers=text&limit=100&venues=lbank,okx".equals(request.getRawQuery())));
        choose("#pairs-asset", "doge");
        await("why there is none", () -> shown("#pairs-count").contains("None: no two exchanges"));
        assertTrue(text("location.hash").contains("asset=DOGE"));
    }

    @Test
    void incompletePairIsRecomputedOverItsDays() throws Exception {
        open("#/pairs?list=incomplete", SHOWN);
        click("#pairs-table button.open");
        Instant end = Instant.ofEpochMilli(windowEndMs);
        String opened = shown("#pairs-table tr.opened");
        String window =
                "after " + MINUTE.format(end.minus(Duration.ofDays(12))) + " up to and with " + MINUTE.format(end);
        assertTrue(opened.contains(window), window + " is not in " + opened);
    }

    /** No sum is known: the current difference agrees with nothing. */
    @Test
    void pairWithoutCommonDayHasNoDirection() throws Exception {
        long now = System.currentTimeMillis();
        CarryPair unknown = new CarryPair(
                Samples.leg("binance", "BTCUSDT", "0", 90, now),
                Samples.leg("okx", "BTC-USDT-SWAP", "0", 90, now),
                0,
                false,
                "service_started",
                null,
                null,
                null);
        server.snapshot = Market.snapshot(
                Source.LIVE,
                List.of(
                        Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now),
                        Samples.rate("binance", "BTCUSDT", "BTC", now)),
                Samples.ranking(List.of(Samples.table("BTC", now, List.of(unknown), List.of()))),
                now);
        open("#/pairs?list=incomplete", SHOWN);
        List<String> cells = browser.table("pairs-table").getFirst();
        assertEquals("0 of 30", cells.get(3));
        assertEquals("0.0000", cells.get(7));
        click("#pairs-table button.open");
        String opened = shown("#pairs-table tr.opened");
        assertTrue(opened.contains("no day is common to both legs"), opened);
        assertFalse(opened.contains("The sum of a leg"), opened);
    }

    @Test
    void windowIsUnknownWithoutPairTables() throws Exception {
        long now = System.currentTimeMillis();
        server.snapshot = Market.snapshot(
                Source.LIVE,
                List.of(Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now)),
                PairRanking.none("no table of 30-day pairs has been published yet"),
                now);
        open("#/pairs", "document.querySelector('#pairs-count')?.textContent.includes('None: ') === true");
        String count = shown("#pairs-count");
        assertTrue(count.contains("no table of 30-day pairs has been published yet"), count);
        String window = shown("#pairs-window");
        assertTrue(window.startsWith("–"), window);
    }

    @Test
    @Tag("nightly")
    void downloadsEachListOfPairs() throws Exception {
        open("#/pairs", SHOWN);
        Saved ranked = saved("#pairs-csv");
        assertTrue(ranked.name().matches("pairs-ranked-\\d{8}T\\d{6}Z\\.csv"), ranked.name());
        assertEquals(2, ranked.lines().size());
        Map<String, String> pair = fields(ranked);
        Map.of(
                        "rank", "1",
                        "asset", "BTC",
                        "funding_difference_30d", "0.03580245012345",
                        "short_venue", "okx",
                        "short_symbol", "BTC-USDT-SWAP",
                        "short_funding_sum_30d", "0.03456789012345",
                        "long_venue", "binance",
                        "long_funding_sum_30d", "-0.00123456",
                        "best_day_day_difference", "0.03580245012345",
                        "receipt", RECEIPT)
                .forEach((name, value) -> assertEquals(value, pair.get(name), name));
        open("#/pairs?list=incomplete", SHOWN);
        Map<String, String> incomplete = fields(saved("#pairs-csv"));
        assertEquals("history_being_read", incomplete.get("reason"));
        assertEquals("12", incomplete.get("days"));
        open("#/pairs?list=refused", SHOWN);
        Map<String, String> refused = fields(saved("#pairs-csv"));
        assertEquals("92517.5", refused.get("price_a"));
        assertEquals("prices_disagree", refused.get("reason"));
    }

    /** The first row of a file whose fields have no commas, by name. */
    private static Map<String, String> fields(Saved saved) {
        String[] names = saved.lines().get(0).split(",", -1);
        String[] values = saved.lines().get(1).split(",", -1);
        assertEquals(names.length, values.length);
        return IntStream.range(0, names.length).boxed().collect(Collectors.toMap(i -> names[i], i -> values[i]));
    }

    @Test
    @Tag("nightly")
    void aPublicReaderIsNotOfferedTheBrokers() throws Exception {
        troubleIsExpected();
        for (boolean local : List.of(true, false)) {
            browser.open(URI.create("about:blank"));
            browser.open((local ? server.base() : server.publicBase()).resolve("/#/pairs"));
            await("pairs", SHOWN);
            click("#pairs-table button.open");
            String opened = shown("#pairs-table tr.opened");
            assertTrue(opened.contains(RECEIPT), opened);
            assertEquals(local, opened.contains("kcat -b 127.0.0.1:9092"), opened);
            assertEquals(local, opened.contains("observatory.jar receipt"), opened);
            value("location.hash = '#/read'");
            await("the commands", "document.querySelectorAll('#commands li').length > 0");
            String commands = shown("#commands");
            assertTrue(commands.contains("/api/v1/latest?assets=BTC,ETH"), commands);
            assertEquals(local, commands.contains("kcat"), commands);
        }
        assertEquals(List.of(), browser.complaints);
    }

    @Test
    @Tag("nightly")
    void doesNotRedrawOpenedPairInUse() throws Exception {
        open("#/pairs", SHOWN);
        value("const now = Date.now; window.ahead = 0; Date.now = () => now() + window.ahead;"
                + "document.querySelector('#pairs-table button.open').click()");
        focus("#pairs-table tr.opened button.copy");
        long before = requests("/api/v1/carry");
        value("window.held = document.activeElement; window.ahead += 61000");
        hidden(false);
        await("another response", () -> requests("/api/v1/carry") > before);
        await("its age", "document.querySelector('#age').textContent !== ''");
        assertTrue(holds("document.activeElement === window.held && document.contains(window.held)"));
        focus("#pairs-asset");
        await("it is drawn once it is left", "!document.contains(window.held)");
    }

    @Test
    @Tag("nightly")
    void isAccessibleInBothThemesAndOnPhone() throws Exception {
        open("#/pairs", SHOWN);
        click("#pairs-table button.open");
        accessibleInEveryLook();
    }
}
