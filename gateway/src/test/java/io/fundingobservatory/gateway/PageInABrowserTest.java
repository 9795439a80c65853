package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fundingobservatory.gateway.core.Answer;
import io.fundingobservatory.gateway.core.Ask;
import io.fundingobservatory.gateway.core.PairRanking;
import io.fundingobservatory.gateway.core.Samples;
import io.fundingobservatory.gateway.core.Site;
import io.fundingobservatory.gateway.core.Snapshot;
import io.fundingobservatory.gateway.core.VenueRows;
import io.fundingobservatory.gateway.tables.Compressors;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.fundingobservatory.topics.ContractType;
import io.fundingobservatory.topics.IntervalSource;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.RateKind;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.VenueStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page as people see it, in the browser of this machine; reported as skipped where none is installed. */
class PageInABrowserTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int RATE = 2;
    private static final int YEAR = 5;

    private static HttpServer server;
    private static Browser browser;
    private static URI base;
    private static volatile Snapshot snapshot;
    private static volatile boolean refusing;
    private static final AtomicInteger UNCHANGED_LISTS = new AtomicInteger();

    @BeforeAll
    static void start() throws Exception {
        Optional<Path> program = Browser.installed();
        if (program.isEmpty()) {
            return;
        }
        var site = new Site(ServedFiles.load(), System.currentTimeMillis());
        Compressors.available().forEach(site::pack);
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> answer(site, exchange));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        base = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        browser = Browser.start(program.get());
        System.out.println("The page is looked at with " + program.get());
    }

    @AfterAll
    static void stop() throws Exception {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.stop(0);
        }
    }

    private static void answer(Site site, HttpExchange exchange) throws IOException {
        try (exchange) {
            var ask = new Ask(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getRawPath(),
                    exchange.getRequestURI().getRawQuery(),
                    false,
                    exchange.getRequestHeaders().getOrDefault("If-None-Match", List.of()),
                    exchange.getRequestHeaders().getOrDefault("Accept-Encoding", List.of()),
                    System.currentTimeMillis());
            Answer answer = refusing && ask.path().startsWith("/api/")
                    ? site.refuse(new Verdict.Refused(Verdict.Shape.VOLUME, 2), ask.nowMs(), snapshot)
                    : site.answer(ask, snapshot);
            answer.headers().forEach((name, value) -> {
                if (!name.equals("Content-Length")) {
                    exchange.getResponseHeaders().set(name, value);
                }
            });
            if (ask.path().startsWith("/api/")) {
                // Else the browser answers itself for as long as a list lasts, and every test waits for that.
                exchange.getResponseHeaders().set("Cache-Control", "no-cache");
            }
            if (answer.status() == 304 && ask.path().equals("/api/v1/latest")) {
                UNCHANGED_LISTS.incrementAndGet();
            }
            int length =
                    answer.pieces().stream().mapToInt(piece -> piece.length).sum();
            exchange.sendResponseHeaders(answer.status(), length == 0 ? -1 : length);
            for (byte[] piece : answer.pieces()) {
                exchange.getResponseBody().write(piece);
            }
        }
    }

    @BeforeEach
    void quiet() throws Exception {
        // Before each and not before all: each is then reported as skipped.
        assumeTrue(browser != null, "no Chromium is installed on this machine: the page was not looked at");
        browser.open(URI.create("about:blank"));
        browser.complaints.clear();
        browser.requests.clear();
        refusing = false;
    }

    private static void serve(Source source, List<Rate> rows) {
        long now = System.currentTimeMillis();
        var statuses = new HashMap<String, VenueStatus>();
        Map<String, List<Rate>> byVenue = rows.stream().collect(Collectors.groupingBy(Rate::venue));
        for (ListedVenue venue : ListedVenue.ALL) {
            List<Rate> held = byVenue.get(venue.id());
            VenueStatus status = held == null
                    ? Samples.failed(venue.id(), now, null, "HTTP 403 <b>")
                    : Samples.read(venue.id(), now, held.size(), Map.of("no_rate", 3L));
            statuses.put(venue.id(), Samples.from(status, source));
        }
        var fragments = new TreeMap<String, VenueRows>();
        byVenue.forEach((venue, held) -> fragments.put(venue, VenueRows.of(venue, held, now)));
        long end = now / 3_600_000 * 3_600_000;
        PairRanking book = PairRanking.of(List.of(Samples.table(
                "BTC",
                end,
                List.of(Samples.pair(
                        Samples.leg("binance", "BTCUSDT", "0.00123456", 0, end),
                        Samples.leg("okx", "BTC-USDT-SWAP", "0.0345678", 0, end),
                        30,
                        null)),
                List.of())));
        snapshot = Snapshot.of(now, now + 1_000, fragments, statuses, Map.of(), book);
    }

    private static Rate row(String venue, String symbol, String asset, String rate, String price, String scale) {
        BigDecimal eight = rate == null ? null : new BigDecimal(rate);
        return new Rate(
                venue,
                symbol,
                asset,
                "USDT",
                ContractType.LINEAR,
                eight,
                rate == null ? null : new BigDecimal(8),
                rate == null ? null : IntervalSource.ROW,
                eight,
                RateKind.ESTIMATE,
                eight == null ? null : eight.multiply(new BigDecimal(1095)),
                null,
                price == null ? null : new BigDecimal(price),
                null,
                new BigDecimal(scale),
                null,
                System.currentTimeMillis() - 5_000,
                false);
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                fail("not within " + PATIENCE + ": " + what + "; " + browser.complaints + " " + browser.text("body"));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static void opened(String hash) throws Exception {
        browser.open(base.resolve("/" + hash));
        await("the rates", () -> !browser.text("#rates-table tbody").isEmpty());
    }

    private static void nothingWentWrong() {
        assertEquals(List.of(), browser.complaints);
        assertTrue(
                browser.requests.stream()
                        .filter(request -> !request.getScheme().equals("about"))
                        .allMatch(request -> request.getAuthority().equals(base.getAuthority())),
                browser.requests.toString());
    }

    /** What the page is to show of a fraction, by another arithmetic than the page's. */
    private static String percent(BigDecimal fraction, int digits) {
        BigDecimal shown = fraction.movePointRight(2).setScale(digits, RoundingMode.HALF_EVEN);
        if (shown.signum() == 0 && fraction.signum() != 0) {
            shown = fraction.movePointRight(2).stripTrailingZeros();
        }
        String sign = fraction.signum() < 0 ? "−" : fraction.signum() > 0 ? "+" : "";
        return sign + shown.abs().toPlainString() + " %";
    }

    @Test
    void everyFigureIsTheOneThatTheServiceWrote() throws Exception {
        var random = new Random(48);
        var rows = new ArrayList<Rate>();
        List<String> edges = List.of(
                "0",
                "0.0",
                "0.00000005",
                "0.00000015",
                "0.000000049999999999",
                "-0.00000005",
                "0.000000000000000001",
                "-0.000000000000000001",
                "0.0001",
                "-0.03",
                "12",
                "0.1000000000000000055511151231257827",
                "0.12345678901234567890123");
        for (int i = 0; i < 150; i++) {
            String rate = i < edges.size()
                    ? edges.get(i)
                    : new BigDecimal(new BigInteger(60, random), 19)
                            .multiply(BigDecimal.valueOf(random.nextInt(3) - 1))
                            .toPlainString();
            String price = new BigDecimal(new BigInteger(80, random), random.nextInt(20)).toPlainString();
            rows.add(row(
                    "okx", "S" + i, "A" + i, rate, price.matches("0[.0]*") ? "1" : price, i % 3 == 0 ? "1000" : "1"));
        }
        serve(Source.LIVE, rows);
        opened("");
        Map<String, Rate> bySymbol = rows.stream().collect(Collectors.toMap(Rate::symbol, row -> row));
        List<List<String>> shown = browser.table("rates-table");
        assertEquals(150, shown.size());
        for (List<String> cells : shown) {
            Rate row = bySymbol.get(cells.get(3));
            assertEquals(
                    percent(row.fundingRate8h(), 5),
                    cells.get(RATE),
                    row.fundingRate8h().toPlainString());
            assertEquals(percent(row.fundingRateAnnualised(), 2), cells.get(YEAR), row.toString());
            assertEquals(row.markPrice().toPlainString() + " USDT", cells.get(7));
            assertEquals(row.priceScale().toPlainString(), cells.get(8));
        }
        List<String> pair = browser.table("pairs-table").getFirst();
        assertEquals(
                List.of("1", "BTC", "okx BTC-USDT-SWAP", "binance BTCUSDT", "+3.333 %", "+3.457 %", "+0.123 %"),
                pair.subList(0, 7));
        nothingWentWrong();
    }

    @Test
    void whatIsNotKnownIsADashWithItsReason() throws Exception {
        long now = System.currentTimeMillis();
        serve(
                Source.LIVE,
                List.of(
                        row("okx", "<img src=x onerror=alert(1)>", "X", null, null, "1"),
                        Samples.rate("binance", "BTCUSDT", "BTC", now - 300_000)));
        opened("");
        assertEquals("Live", browser.text("#source-word"));
        assertEquals("Funding Observatory", browser.value("document.title").asText());
        List<String> bare = browser.table("rates-table").get(1);
        assertEquals("<img src=x onerror=alert(1)>", bare.get(3));
        for (int column : List.of(RATE, 4, YEAR, 6, 7)) {
            assertEquals("–", bare.get(column), "column " + column);
        }
        assertTrue(browser.value("document.querySelectorAll('#rates-table td.unknown')[0].title")
                .asText()
                .contains("published"));
        assertTrue(browser.table("rates-table").getFirst().getLast().endsWith("stale"), "older than 180 s");
        List<List<String>> missing = browser.table("missing-table");
        assertEquals(ListedVenue.ALL.stream().filter(ListedVenue::defaultScope).count() - 2, missing.size());
        assertEquals("HTTP 403 <b>", missing.getFirst().get(1));
        assertTrue(browser.value("document.querySelector('#left-table').textContent")
                .asText()
                .contains("no rate6"));
        assertTrue(browser.text("#coverage").startsWith("2 of 48"), browser.text("#coverage"));
        assertEquals("1.0.0", browser.text("#release"));
        nothingWentWrong();
    }

    @Test
    void aFigureThatIsNotRealSaysSo() throws Exception {
        List<Rate> rows = List.of(row("okx", "BTC-USDT-SWAP", "BTC", "0.0001", "9", "1"));
        serve(Source.SIMULATED, rows);
        opened("");
        assertEquals("SIMULATED No figure on this page is real.", browser.text("#source"));
        assertTrue(browser.value("document.title").asText().startsWith("SIMULATED"));
        assertEquals(
                "sticky",
                browser.value("getComputedStyle(document.querySelector('#source')).position")
                        .asText());
        serve(Source.REPLAY, rows);
        opened("#sort=asset");
        browser.call("Page.reload", Map.of());
        await("the replay", () -> browser.text("#source-word").equals("REPLAY"));
        nothingWentWrong();
    }

    @Test
    void aListThatIsThereAlreadyIsNotSentAgain() throws Exception {
        serve(Source.LIVE, List.of(row("okx", "BTC-USDT-SWAP", "BTC", "0.0001", "9", "1")));
        opened("");
        int before = UNCHANGED_LISTS.get();
        browser.call("Page.reload", Map.of());
        await("the browser asks with the tag", () -> UNCHANGED_LISTS.get() > before);
        await("the rates once more", () -> browser.table("rates-table").size() == 1);
        nothingWentWrong();
    }

    @Test
    void manyRowsAreFilteredAndSortedByMouseAndKeyboard() throws Exception {
        long now = System.currentTimeMillis();
        var rows = new ArrayList<Rate>();
        List<String> venues = ListedVenue.ALL.stream()
                .filter(ListedVenue::defaultScope)
                .map(ListedVenue::id)
                .toList();
        for (int i = 0; i < 14_000; i++) {
            String asset = i % 100 == 0 ? "BTC" : "A" + i % 700;
            rows.add(Samples.rate(venues.get(i % venues.size()), asset + "-" + i, asset, now - i % 50_000));
        }
        rows.add(Samples.rate("lbank", "BTCUSDT", "BTC", now));
        serve(Source.LIVE, rows);
        opened("");
        assertEquals("200 of 14,000 contracts shown, 13,800 further down", browser.text("#shown"));
        assertEquals(200, browser.table("rates-table").size());

        browser.value("document.querySelector('#asset').focus()");
        long started = System.nanoTime();
        browser.write("btc");
        await("the filter", () -> browser.text("#shown").equals("140 of 14,000 contracts shown, 13,860 filtered out"));
        assertTrue(System.nanoTime() - started < TimeUnit.SECONDS.toNanos(5), "the browser is not held up");
        assertTrue(browser.table("rates-table").stream()
                .allMatch(row -> row.getFirst().equals("BTC")));
        assertTrue(browser.value("location.hash").asText().contains("asset=btc"));

        browser.value("document.querySelector('[data-key=venue]').focus()");
        for (String direction : List.of("ascending", "descending")) {
            browser.key("Enter", 13);
            assertEquals(
                    direction,
                    browser.value("document.activeElement.closest('th').getAttribute('aria-sort')")
                            .asText(),
                    "and the heading keeps the focus");
            List<String> order =
                    browser.table("rates-table").stream().map(row -> row.get(1)).toList();
            List<String> sorted = order.stream().sorted().toList();
            assertEquals(direction.equals("ascending") ? sorted : sorted.reversed(), order);
        }

        browser.value(
                "document.querySelector('#asset').value = '';"
                        + "document.querySelector('#asset').dispatchEvent(new Event('input')); document.querySelector('#rates-more').click()");
        assertEquals(400, browser.table("rates-table").size());

        browser.value("document.querySelector('#venue').value = 'lbank';"
                + "document.querySelector('#venue').dispatchEvent(new Event('change'))");
        await(
                "the exchange outside the default scope",
                () -> browser.text("#shown").equals("1 of 1 contracts shown"));
        assertTrue(browser.requests.stream().anyMatch(request -> "venues=lbank".equals(request.getRawQuery())));
        nothingWentWrong();
    }

    @Test
    void whenNothingCanBeShownItSaysWhyAndTriesAgain() throws Exception {
        snapshot = null;
        browser.open(base);
        await(
                "that it is starting",
                () -> browser.text("#state")
                        .equals(
                                "The service is starting: the first complete list is not there yet. Trying again in 5 s."));
        assertTrue(
                browser.text("#source").startsWith("Source not known"), "nothing is shown as live before it is known");
        assertEquals(List.of(), browser.table("rates-table"));
        refusing = true;
        await("that it is refused", () -> browser.text("#state").contains("Too many requests from here"));
        refusing = false;
        serve(Source.LIVE, List.of(row("okx", "BTC-USDT-SWAP", "BTC", "0.0001", "9", "1")));
        await("the list", () -> browser.table("rates-table").size() == 1);
        assertFalse(browser.text("#state").contains("again in"));
        assertEquals("Live", browser.text("#source-word"));
    }

    /** The page believes that it is hidden, or shown again, or that an hour has passed. */
    private static void hidden(boolean hidden) throws Exception {
        browser.value("Object.defineProperty(document, 'hidden', {configurable: true, get: () => " + hidden + "});"
                + "document.dispatchEvent(new Event('visibilitychange'))");
    }

    private static long requests(String path) {
        return browser.requests.stream()
                .filter(request -> path.equals(request.getPath()))
                .count();
    }

    @Test
    void aTabThatWasHiddenWhileTheServiceStartedReadsWhenItIsShown() throws Exception {
        snapshot = null;
        browser.open(base);
        await("that it is starting", () -> browser.text("#state").endsWith("Trying again in 5 s."));
        hidden(true);
        browser.value("window.due = Date.now() + 6000");
        await(
                "the next try comes due",
                () -> browser.value("Date.now() > window.due").asBoolean());
        assertEquals(1, requests("/api/v1/latest"), "a hidden page reads nothing");
        serve(Source.LIVE, List.of(row("okx", "BTC-USDT-SWAP", "BTC", "0.0001", "9", "1")));
        hidden(false);
        await("the list", () -> browser.table("rates-table").size() == 1);
    }

    @Test
    void aTabThatIsShownAgainWaitsAsLongAsItWasAskedTo() throws Exception {
        serve(Source.LIVE, List.of(row("okx", "BTC-USDT-SWAP", "BTC", "0.0001", "9", "1")));
        refusing = true;
        browser.open(base);
        await("that it is refused", () -> browser.text("#state").contains("Too many requests from here"));
        long before = requests("/api/v1/latest");
        for (int i = 0; i < 5; i++) {
            hidden(true);
            hidden(false);
        }
        assertEquals(before, requests("/api/v1/latest"), "not before it is due");
        refusing = false;
        await("the list", () -> browser.table("rates-table").size() == 1);
    }

    @Test
    void aViewThatWasPassedOnIsShownInATabThatIsOpen() throws Exception {
        serve(
                Source.LIVE,
                List.of(
                        row("okx", "BTC-USDT-SWAP", "BTC", "0.0001", "9", "1"),
                        row("gate", "ETH_USDT", "ETH", "0.0002", "9", "1"),
                        row("lbank", "ETHUSDT", "ETH", "0.0003", "9", "1")));
        opened("#asset=BTC");
        browser.value("location.hash = '#asset=ETH&sort=venue&order=up'");
        await(
                "the other view",
                () -> browser.table("rates-table").size() == 1
                        && browser.table("rates-table").getFirst().getFirst().equals("ETH"));
        assertEquals(
                "ETH", browser.value("document.querySelector('#asset').value").asText());
        browser.value("location.hash = '#asset=ETH&venue=lbank'");
        await("its exchange", () -> browser.text("#rates-table tbody").contains("lbank"));
        assertEquals(
                "lbank", browser.value("document.querySelector('#venue').value").asText());
        browser.value("location.hash = '#rates'");
        assertEquals(
                "ETH",
                browser.value("document.querySelector('#asset').value").asText(),
                "a place on the page is no view");
        nothingWentWrong();
    }

    @Test
    void theMenuIsNotDrawnAnewWhileItIsUsedNorWithoutNeed() throws Exception {
        var rows = new ArrayList<>(List.of(row("okx", "BTC-USDT-SWAP", "BTC", "0.0001", "9", "1")));
        serve(Source.LIVE, rows);
        opened("");
        await(
                "the menu",
                () -> browser.value("document.querySelector('#venue').options.length")
                                .asInt()
                        == 49);
        browser.value("document.querySelector('#venue').options[5].seen = true;"
                + "const now = Date.now; window.ahead = 0; Date.now = () => now() + window.ahead");
        refreshed();
        assertTrue(menuIsTheSame(), "nothing in it has changed");

        rows.add(row("okx", "ETH-USDT-SWAP", "ETH", "0.0001", "9", "1"));
        serve(Source.LIVE, rows);
        // A window that is not in front gets no blur events.
        browser.call("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
        browser.value("document.querySelector('#venue').focus()");
        refreshed();
        assertTrue(menuIsTheSame(), "it is in use");
        browser.value("document.querySelector('#venue').blur()");
        await("the menu with two contracts", () -> browser.text("#venue").contains("OKX (2)"));
        nothingWentWrong();
    }

    private static boolean menuIsTheSame() throws Exception {
        return browser.value("document.querySelector('#venue').options[5].seen === true")
                .asBoolean();
    }

    /** An hour passes: every feed is read again. */
    private static void refreshed() throws Exception {
        long before = requests("/api/v1/venues");
        browser.value("window.ahead += 3600000");
        hidden(false);
        await("the exchanges are read again", () -> requests("/api/v1/venues") > before);
        await(
                "the answer is drawn",
                () -> browser.value("performance.getEntriesByName(location.origin + '/api/v1/venues').length")
                                .asLong()
                        > before);
    }
}
