package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.PageFiles;
import io.fundingobservatory.gateway.core.site.Routed;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.traffic.StandardLimits;
import io.fundingobservatory.topics.records.Source;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the page costs: bytes, time to the first values, work of an interaction, memory. Times are printed with
 * their goals and not asserted: on a busy machine they would measure the machine. Two take most of the browser's
 * time and are of the nightly run. The page's other tests see each of their views.
 */
@ExtendWith(Page.Extension.class)
class BudgetsInABrowserTest {
    private static final int COMPRESSED_BYTES = 50_000;
    private static final int FIRST_VIEW_GOAL_MS = 1_000;
    private static final int INTERACTION_GOAL_MS = 50;

    /** About 15,000 rows at 46 exchanges. */
    private static final int COINS = 480;

    /** Keeps what the browser itself measures: of each event when it was handled and painted, and the frames of 50 ms and more. */
    private static final String OBSERVED = """
            window.events = []; window.frames50 = []; window.since = performance.now();
            new PerformanceObserver(list => events.push(...list.getEntries())).observe({type: 'event', durationThreshold: 16});
            new PerformanceObserver(list => frames50.push(...list.getEntries())).observe({type: 'long-animation-frame'});
            true""";

    private static final String PAINTED = """
            new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
                const channel = new MessageChannel();
                channel.port1.onmessage = () => done(true);
                channel.port2.postMessage(0);
            })))""";

    /** handled: the longest that one event kept the page; painted: the longest until the frame that showed what it did. */
    private static final String HANDS = """
            ({
                handled: Math.round(Math.max(0, ...events.map(e => e.processingEnd - e.processingStart))),
                painted: Math.max(0, ...events.filter(e => e.interactionId > 0 || e.name === 'input').map(e => e.duration)),
                frames_of_50_ms: frames50.filter(frame => frame.startTime > since).map(frame => Math.round(frame.duration)),
                clicks: performance.eventCounts.get('click'), inputs: performance.eventCounts.get('input'),
                down: document.querySelector('#matrix-scroll').scrollTop, view: location.hash,
            })""";

    /** What a hand does. */
    private interface Action {
        void run() throws Exception;
    }

    private final Page page;

    BudgetsInABrowserTest(Page page) {
        this.page = page;
    }

    @Test
    void thePageItselfIsSmall() throws Exception {
        var site = new Site(PageFiles.load(), 0, StandardLimits.STANDARD, () -> "");
        page.serve(12);
        page.openMatrix("");
        page.browser.value("location.hash = '#/asset/BTC'");
        page.awaitTrue("a coin", "document.querySelectorAll('#asset-table tbody tr').length > 0");
        Set<String> loaded = new HashSet<>();
        for (URI request : page.browser.requests) {
            if (!"about".equals(request.getScheme()) && !request.getPath().startsWith("/api/")) {
                loaded.add(request.getPath());
            }
        }
        assertTrue(loaded.contains("/page/page.js"), loaded.toString());
        long bytes = 0;
        for (String path : loaded) {
            SiteResponse response =
                    Routed.response(site, Routed.request("GET", path, List.of(), List.of("gzip"), 1), null);
            assertTrue(response.status() == 200, path);
            bytes += Routed.pieces(response).stream()
                    .mapToInt(piece -> piece.length)
                    .sum();
        }
        System.out.println("The page: " + loaded.size() + " files, " + bytes + " bytes in gzip");
        assertTrue(bytes <= COMPRESSED_BYTES, bytes + " bytes");
    }

    @Test
    @Tag("nightly")
    void showsFifteenThousandRowsAndResponds() throws Exception {
        int rows = page.serve(COINS).rows.size();
        // The server has responded once; the browser holds nothing.
        page.openMatrix("#/?scope=all");
        page.browser.open(URI.create("about:blank"));
        page.browser.call("Network.clearBrowserCache", Map.of());
        page.openMatrix("#/?scope=all");
        page.awaitTrue("names", "document.querySelector('#matrix-table thead').textContent.includes('Deribit')");
        double first = page.browser
                .value("performance.getEntriesByType('mark').find(mark => mark.name === 'first-figures').startTime")
                .asDouble();
        page.browser.value(OBSERVED);
        page.browser.call("Performance.enable", Map.of("timeDomain", "threadTicks"));
        double worst = 0;
        for (Action action : actions()) {
            double before = processorMs();
            action.run();
            page.browser.value(PAINTED);
            worst = Math.max(worst, processorMs() - before);
        }
        page.browser.call("Performance.disable", Map.of());
        JsonNode hands = page.browser.value(HANDS);
        System.out.println("The page with " + rows + " rows: first figures after " + Math.round(first)
                + " ms, goal " + FIRST_VIEW_GOAL_MS + "; of all interactions the most work " + Math.round(worst)
                + " ms of processor, goal " + INTERACTION_GOAL_MS + "; by the browser's own timing, ms: " + hands);
        assertEquals(3, hands.at("/clicks").asInt(), hands.toString());
        assertTrue(
                hands.at("/view").asText().matches(".*(?=.*sort=binance)(?=.*show=year)(?=.*kind=).*"),
                hands.toString());
        page.nothingWentWrong();
    }

    private List<Action> actions() {
        Browser hand = page.browser;
        return List.of(
                () -> hand.wheel(700, 500, 900),
                () -> hand.wheel(700, 500, 5_000),
                () -> hand.click("[data-key=spread]"),
                () -> hand.click("[data-key=binance]"),
                () -> hand.value("document.querySelector('#find').focus()"),
                () -> hand.write("C"),
                () -> hand.write("1"),
                () -> hand.key("Backspace", 8),
                () -> hand.key("Backspace", 8),
                () -> hand.click("input[value=year]"),
                () -> hand.value("document.querySelector('#matrix-kind').focus()"),
                () -> hand.key("ArrowDown", 40));
    }

    @Test
    @Tag("nightly")
    void memoryIsSteadyOverAnHourOfLists() throws Exception {
        Market market = page.serve(60);
        page.openMatrix("#/?scope=all");
        page.browser.value("const now = Date.now; window.ahead = 0; Date.now = () => now() + window.ahead; true");
        refresh(market, 5);
        long before = page.browser.heapBytes();
        refresh(market, 60);
        long after = page.browser.heapBytes();
        System.out.println("The page's heap: " + before / 1024 + " kB after 5 lists, " + after / 1024 + " kB after 65");
        // Each of the 60 lists that were let go would take more than half a megabyte.
        assertTrue(after < before + 5_000_000, before + " bytes, then " + after);
        page.nothingWentWrong();
    }

    /** What the page's main thread has worked so far, whatever else the machine does. */
    private double processorMs() throws Exception {
        for (JsonNode metric :
                page.browser.call("Performance.getMetrics", Map.of()).path("metrics")) {
            if (metric.path("name").asText().equals("TaskDuration")) {
                return metric.path("value").asDouble() * 1_000;
            }
        }
        throw new IllegalStateException("the browser does not tell what its threads worked");
    }

    /** So many minutes pass; each brings another list. */
    private void refresh(Market market, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            long now = System.currentTimeMillis();
            page.server.snapshot = Market.snapshot(Source.SIMULATED, market.rows, null, now);
            long before = page.requests("/api/v1/latest");
            page.await("another list", () -> {
                // While a response is on its way, none is due.
                page.browser.value("window.ahead += 61000");
                page.hidden(false);
                return page.requests("/api/v1/latest") > before;
            });
        }
    }
}
