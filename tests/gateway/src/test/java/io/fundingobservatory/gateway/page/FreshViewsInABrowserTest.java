package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a browser that holds nothing requests of the gateway, and that many of them behind one address get it. */
class FreshViewsInABrowserTest extends PageTest {
    private static final Set<String> KNOWN =
            Set.of("/", "/page/page.js", "/page/page.css", "/page/icon.svg", "/api/v1/latest", "/api/v1/venues");
    private static final String ROWS = "document.querySelectorAll('#matrix-table tbody tr td b').length > 0"
            + " && document.querySelector('#matrix-table thead').textContent.includes('OKX')";

    private final RunningGateway shared = RunningGateway.serving(20);

    private static String at(RunningGateway gateway, String target) {
        return "http://127.0.0.1:" + gateway.port() + target;
    }

    /** All requests are of gateways. */
    @Override
    @AfterEach
    void nothingWentWrong() {
        assertEquals(List.of(), browser.complaints);
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
        browser.call("Network.clearBrowserCache", Map.of());
        browser.open(at(shared, "/"));
        await("the list", ROWS);
        List<String> requested = requested(browser);
        assertTrue(requested.size() <= 6, requested.toString());
        assertTrue(KNOWN.containsAll(requested), requested.toString());
    }

    /** A link that was shared carries parameters of others. */
    @Test
    void pageIgnoresParametersOfOthers() throws Exception {
        for (String query :
                List.of("?utm_source=a&utm_medium=b", "?fbclid=IwAR0x", "?anything", "?utm_campaign=a|b{c}^`&d=100%")) {
            browser.open(URI.create("about:blank"));
            browser.open(at(shared, "/") + query + "#/asset/C1");
            await(query, "document.querySelectorAll('#asset-table tbody tr').length > 0");
        }
        // This gateway has no pairs yet: a browser logs each 503 of the ranking by itself.
        browser.complaints.removeIf(line -> line.contains("status of 503"));
    }

    @Test
    @Tag("nightly")
    void tenViewsBehindOneAddressLoadWhole() throws Exception {
        List<Browser> windows = browser.windows(10);
        try (RunningGateway limited = RunningGateway.start(FixedSnapshots.ROWS, "20")) {
            for (Browser window : windows) {
                window.open(at(limited, "/"));
            }
            for (Browser window : windows) {
                await("a view", () -> window.value(ROWS).asBoolean());
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

    /** A page of another origin, with {@code fetch}: lists, errors and files. */
    @Test
    void readsEveryKindOfResponseFromAnotherOrigin() throws Exception {
        browser.open(server.base().resolve("/source/"));
        await("an empty document", "location.pathname === '/source/' && document.readyState === 'complete'");
        for (String target : List.of(
                "/api/v1",
                "/api/v1/latest",
                "/api/v1/latest?venues=all",
                "/api/v1/latest?assets=C1",
                "/api/v1/latest?x=1",
                "/api/v1/carry",
                "/api/v1/history",
                "/nowhere",
                "/openapi.yaml")) {
            var expected = shared.get(target);
            assertEquals(
                    expected.statusCode() + " " + new String(expected.body(), StandardCharsets.UTF_8),
                    text("fetch('" + at(shared, target)
                            + "').then(async response => response.status + ' ' + await response.text())"),
                    target);
        }
        assertFalse(text("fetch('" + at(shared, "/api/v1/latest")
                        + "').then(response => response.headers.get('ETag') ?? '')")
                .isEmpty());
        browser.complaints.clear(); // of errors that were requested
    }
}
