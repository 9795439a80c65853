package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The page in the browser of this machine, over a server whose values tests choose. */
final class Page implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String AXE = axe();

    final Browser browser;
    final PageServer server = new PageServer();

    private Page(Path program) throws Exception {
        browser = Browser.start(program);
        System.out.println("The page is looked at with " + program);
    }

    /** One browser for all tests of the page; where none is installed each test is reported as skipped. */
    static final class Extension implements ExecutionCondition, ParameterResolver, BeforeEachCallback {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return Browser.installed().isPresent()
                    ? ConditionEvaluationResult.enabled("a browser is installed")
                    : ConditionEvaluationResult.disabled(
                            "no Chromium is installed on this machine: the page was not looked at");
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Page.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return page(context);
        }

        @Override
        public void beforeEach(ExtensionContext context) throws Exception {
            page(context).quiet();
        }

        private static Page page(ExtensionContext context) {
            return context.getStore(
                            ExtensionContext.StoreScope.LAUNCHER_SESSION, ExtensionContext.Namespace.create(Page.class))
                    .getOrComputeIfAbsent(Page.class, key -> start(), Page.class);
        }

        private static Page start() {
            Path program = Browser.installed().orElseThrow();
            try {
                return new Page(program);
            } catch (Exception e) {
                throw new IllegalStateException("cannot start " + program, e);
            }
        }
    }

    private void quiet() throws Exception {
        browser.open(URI.create("about:blank"));
        browser.complaints.clear();
        browser.requests.clear();
        browser.look(1440, 900, 1, false, "light");
        browser.zone("UTC");
        server.refusing = false;
        if (server.maxAgeS != 0) {
            server.maxAgeS = 0;
            // Else other tests get what this one let the browser keep.
            browser.call("Network.clearBrowserCache", Map.of());
        }
    }

    /** A file that a button gave the reader. */
    record Saved(String name, List<String> lines) {}

    /** Uses a button that gives the reader a file. */
    Saved saved(String button) throws Exception {
        browser.value(
                "window.file = undefined; HTMLAnchorElement.prototype.click = function () { window.fileName = this.download; };"
                        + "URL.createObjectURL = blob => { blob.text().then(text => window.file = text); return '#'; };"
                        + "document.querySelector('" + button + "').click()");
        awaitTrue("the file", "window.file !== undefined");
        return new Saved(
                browser.value("window.fileName").asText(),
                browser.value("window.file").asText().lines().toList());
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
        awaitTrue(hash, shown);
    }

    void openMatrix(String hash) throws Exception {
        open(hash, "document.querySelectorAll('#matrix-table tbody tr td b').length > 0");
    }

    void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                fail("not within " + PATIENCE + ": " + what + "; " + browser.complaints + " " + browser.text("body"));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    void awaitTrue(String what, String expression) throws Exception {
        await(what, () -> browser.value(expression).asBoolean());
    }

    /** No complaint of the browser, and no request to any other server. */
    void nothingWentWrong() {
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

    /** Writes a text into the field that has the focus, one letter after the other. */
    void write(String text) throws Exception {
        browser.write(text);
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

    @Override
    public void close() throws IOException {
        browser.close();
        server.close();
    }
}
