package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a browser that holds nothing requests of the gateway, and that many of them behind one address get it. */
@ExtendWith(Page.Extension.class)
class FreshViewsInABrowserTest {
    private static final Set<String> KNOWN =
            Set.of("/", "/page/page.js", "/page/page.css", "/page/icon.svg", "/api/v1/latest", "/api/v1/venues");
    private static final String ROWS = "document.querySelectorAll('#matrix-table tbody tr td b').length > 0"
            + " && document.querySelector('#matrix-table thead').textContent.includes('OKX')";

    private final RunningGateway shared = RunningGateway.serving(20);
    private final Page page;

    FreshViewsInABrowserTest(Page page) {
        this.page = page;
    }

    private static String at(RunningGateway gateway, String target) {
        return "http://127.0.0.1:" + gateway.port() + target;
    }

    private static List<String> requested(Browser browser) {
        return browser.requests.stream()
                .filter(request -> !"about".equals(request.getScheme()))
                .map(URI::getPath)
                .toList();
    }

    /** What a window got for each of its requests but the first: status and address. */
    private static Set<String> got(Browser window) throws Exception {
        JsonNode all = window.value("performance.getEntriesByType('resource').map(one =>"
                + " one.responseStatus + ' ' + new URL(one.name).pathname)");
        var got = new TreeSet<String>();
        all.forEach(one -> got.add(one.asText()));
        return got;
    }

    @Test
    void freshViewTakesSixRequests() throws Exception {
        page.browser.call("Network.clearBrowserCache", Map.of());
        page.browser.open(at(shared, "/"));
        page.awaitTrue("the list", ROWS);
        List<String> requested = requested(page.browser);
        assertTrue(requested.size() <= 6, requested.toString());
        assertTrue(KNOWN.containsAll(requested), requested.toString());
        assertEquals(List.of(), page.browser.complaints);
    }

    /** A link that was shared carries parameters of others. */
    @Test
    void pageIgnoresParametersOfOthers() throws Exception {
        for (String query :
                List.of("?utm_source=a&utm_medium=b", "?fbclid=IwAR0x", "?anything", "?utm_campaign=a|b{c}^`&d=100%")) {
            page.browser.open(URI.create("about:blank"));
            page.browser.open(at(shared, "/") + query + "#/asset/C1");
            page.awaitTrue(query, "document.querySelectorAll('#asset-table tbody tr').length > 0");
        }
        // This gateway has no pairs yet: a browser logs each 503 of the ranking by itself.
        page.browser.complaints.removeIf(line -> line.contains("status of 503"));
        assertEquals(List.of(), page.browser.complaints);
    }

    @Test
    @Tag("nightly")
    void tenViewsBehindOneAddressLoadWhole() throws Exception {
        List<Browser> windows = page.browser.windows(10);
        try (RunningGateway limited = RunningGateway.start(FixedSnapshots.ROWS, "20")) {
            for (Browser window : windows) {
                window.open(at(limited, "/"));
            }
            for (Browser window : windows) {
                page.await("a view", () -> window.value(ROWS).asBoolean());
                assertEquals(List.of(), window.complaints);
                assertTrue(
                        got(window)
                                .containsAll(Set.of(
                                        "200 /page/page.js",
                                        "200 /page/page.css",
                                        "200 /api/v1/latest",
                                        "200 /api/v1/venues")),
                        got(window).toString());
                assertTrue(
                        got(window).stream().allMatch(one -> one.startsWith("200 ")),
                        got(window).toString());
            }
        } finally {
            for (Browser window : windows) {
                window.closeWindow();
            }
        }
    }
}
