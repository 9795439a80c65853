package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.Source;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of the page: what people see and do, in the words of its tests. */
@ExtendWith(Page.Extension.class)
abstract class PageTest {
    static final String ROWS = "document.querySelectorAll('#matrix-table tbody tr td b').length > 0";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String AXE = axe();

    Browser browser;
    PageServer server;
    private boolean judged;

    @BeforeEach
    void begin(Page page) throws Exception {
        page.reset();
        browser = page.browser;
        server = page.server;
    }

    /** What an expression of the page's own language comes to. */
    JsonNode value(String expression) throws Exception {
        return browser.value(expression);
    }

    String text(String expression) throws Exception {
        return value(expression).asText();
    }

    long number(String expression) throws Exception {
        return value(expression).asLong();
    }

    boolean holds(String expression) throws Exception {
        return value(expression).asBoolean();
    }

    /** The text of an element as it is shown. */
    String shown(String selector) throws Exception {
        return browser.text(selector);
    }

    long count(String selector) throws Exception {
        return number("document.querySelectorAll('" + selector + "').length");
    }

    /** The text of every element of a kind. */
    List<String> texts(String selector) throws Exception {
        JsonNode texts = value("[...document.querySelectorAll('" + selector + "')].map(one => one.textContent)");
        return StreamSupport.stream(texts.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    static void assertContains(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), part + " is not in " + text);
        }
    }

    void click(String selector) throws Exception {
        value("document.querySelector('" + selector + "').click()");
    }

    void focus(String selector) throws Exception {
        value("document.querySelector('" + selector + "').focus()");
    }

    /** Chooses a value in a list, or writes it into a field. */
    void choose(String selector, String value) throws Exception {
        value("document.querySelector('" + selector + "').value = '" + value + "'; document.querySelector('" + selector
                + "').dispatchEvent(new Event('change'))");
    }

    /** From now on the page's clock is {@code window.ahead} milliseconds ahead. */
    void clock() throws Exception {
        value("const now = Date.now; window.ahead = 0; Date.now = () => now() + window.ahead; true");
    }

    /** Time passes for the page, which notices it as when it is shown again. */
    void passes(int seconds) throws Exception {
        value("window.ahead += " + seconds * 1000);
        hidden(false);
    }

    void reload() throws Exception {
        browser.call("Page.reload", Map.of());
    }

    /** A file that a button gave the reader. */
    record Saved(String name, List<String> lines) {}

    /** Uses a button that gives the reader a file. */
    Saved saved(String button) throws Exception {
        browser.value(
                "window.file = undefined; HTMLAnchorElement.prototype.click = function () { window.fileName = this.download; };"
                        + "URL.createObjectURL = blob => { blob.text().then(text => window.file = text); return '#'; };"
                        + "document.querySelector('" + button + "').click()");
        await("the file", "window.file !== undefined");
        return new Saved(
                browser.value("window.fileName").asText(),
                browser.value("window.file").asText().lines().toList());
    }

    /** These rows are there, of live exchanges, and a ranking where it is not null. */
    void serve(@Nullable PairRanking ranking, long atMs, Rate... rows) {
        server.snapshot = Market.snapshot(Source.LIVE, List.of(rows), ranking, atMs);
    }

    /** A market of so many coins is there. */
    Market serve(int coins) {
        return serve(coins, System.currentTimeMillis());
    }

    /** A market of so many coins is there, as it was at this instant. */
    Market serve(int coins, long atMs) {
        return serve(new Market(coins, atMs));
    }

    Market serve(Market market) {
        server.snapshot = market.snapshot(Source.SIMULATED);
        return market;
    }

    /** Opens a view of which this expression tells that its values are there. */
    void open(String hash, String shown) throws Exception {
        // An address that differs behind # alone would not load anything.
        browser.open(URI.create("about:blank"));
        browser.open(server.base().resolve("/" + hash));
        await(hash, shown);
    }

    /** Opens the matrix; names of exchanges come with another response than the rates. */
    void openMatrix(String hash) throws Exception {
        open(hash, ROWS + " && /[A-Z]/.test(document.querySelector('#matrix-table thead th.venue').textContent)");
    }

    void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                fail("not within " + PATIENCE + ": " + what + "; " + browser.complaints + " " + shown("body"));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    void await(String what, String expression) throws Exception {
        await(what, () -> browser.value(expression).asBoolean());
    }

    /** The test itself judges what the browser complains about, or requests of another server. */
    void troubleIsExpected() {
        judged = true;
    }

    /** No complaint of the browser, and no request to any other server. */
    @AfterEach
    void nothingWentWrong() {
        if (judged) {
            return;
        }
        assertEquals(List.of(), browser.complaints);
        assertTrue(
                browser.requests.stream()
                        .filter(request -> !List.of("about", "blob").contains(request.getScheme()))
                        .allMatch(request ->
                                request.getAuthority().equals(server.base().getAuthority())),
                browser.requests.toString());
    }

    /** Returns what axe-core finds wrong with the page in its present state: one line each. */
    void accessible(String where) throws Exception {
        accessible(where, "");
    }

    /** The same in the usual window, in dark colours as far as they matter, and on a phone, where colours do not. */
    void accessibleInEveryLook() throws Exception {
        accessible("light");
        browser.look(1440, 900, 1, false, "dark");
        accessible("dark", ", runOnly: {type: 'rule', values: ['color-contrast']}");
        browser.look(390, 844, 2, true, "light");
        accessible("phone", ", rules: {'color-contrast': {enabled: false}}");
    }

    private void accessible(String where, String rules) throws Exception {
        assertTrue(
                browser.value(
                                "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight")
                        .asBoolean(),
                where + ": the view scrolls and not the page around it");
        // The browser may run what the page's own policy would not let it load.
        browser.value("globalThis.axe ? true : (" + AXE + ", true)");
        JsonNode found = browser.value("axe.run(document, {resultTypes: ['violations']" + rules + "}).then(result =>"
                + " result.violations.flatMap(one => one.nodes.map(node => one.id + ' ' + node.target.join(' ') + ' '"
                + " + (node.any[0]?.message ?? one.help))))");
        assertEquals(0, found.size(), where + ": " + found.toPrettyString());
    }

    private static String axe() {
        try (InputStream in = Page.class.getResourceAsStream("/axe/axe.min.js")) {
            String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return "(() => {" + script + "})()";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A picture of the view in {@code target/page}. */
    void picture(String name) throws Exception {
        browser.picture(Path.of("target", "page", name));
    }

    /** What an expression over a module {@code m} of the page's source comes to; some view of the page is open. */
    JsonNode module(String name, String expression) throws Exception {
        return browser.value("import('/source/" + name + "').then(m => " + expression + ")");
    }

    long requests(String path) {
        return browser.requests.stream()
                .filter(request -> path.equals(request.getPath()))
                .count();
    }

    /** A fraction as the page is to show it, by another arithmetic than the page's: percent with so many decimals, half to even. */
    static String percent(BigDecimal fraction, int digits) {
        BigDecimal shown = fraction.movePointRight(2).setScale(digits, RoundingMode.HALF_EVEN);
        if (shown.signum() == 0 && fraction.signum() != 0) {
            shown = fraction.movePointRight(2).stripTrailingZeros();
        }
        return sign(fraction) + shown.abs().toPlainString();
    }

    /** A fraction as percent with all its digits. */
    static String exactPercent(BigDecimal fraction) {
        return sign(fraction) + plain(fraction.movePointRight(2).abs());
    }

    static String plain(BigDecimal value) {
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }

    /** A value without the spaces that put decimal points below one another. */
    static String unpadded(String cell) {
        return cell.replaceAll("[\u2007\u2008]", "").strip();
    }

    private static String sign(BigDecimal value) {
        return value.signum() < 0 ? "−" : value.signum() > 0 ? "+" : "";
    }

    /** The page believes that it is hidden, or shown again. */
    void hidden(boolean hidden) throws Exception {
        browser.value("Object.defineProperty(document, 'hidden', {configurable: true, get: () => " + hidden + "});"
                + "document.dispatchEvent(new Event('visibilitychange'))");
    }

    void network(int latencyMs, int bytesPerSecond) throws Exception {
        browser.call(
                "Network.emulateNetworkConditions",
                Map.of(
                        "offline",
                        false,
                        "latency",
                        latencyMs,
                        "downloadThroughput",
                        bytesPerSecond,
                        "uploadThroughput",
                        bytesPerSecond));
    }
}
