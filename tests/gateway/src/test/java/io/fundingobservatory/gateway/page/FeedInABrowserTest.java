package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.Source;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page while the service starts, refuses, is away or slow, and while nobody looks. */
@ExtendWith(Page.Extension.class)
class FeedInABrowserTest {
    private static final String LIST = "/api/v1/latest";
    private static final String ROWS = "document.querySelectorAll('#matrix-table tbody tr td b').length > 0";

    private final Page page;

    FeedInABrowserTest(Page page) {
        this.page = page;
    }

    /** From now on the page can be told that time has passed. */
    private void clock() throws Exception {
        page.browser.value("const now = Date.now; window.ahead = 0; Date.now = () => now() + window.ahead; true");
    }

    /** Time passes for the page, which notices it as when it is shown again. */
    private void passes(int seconds) throws Exception {
        page.browser.value("window.ahead += " + seconds * 1000);
        page.hidden(false);
    }

    @Test
    void reportsStartOrRefusalAndRetries() throws Exception {
        page.server.snapshot = null;
        page.browser.open(page.server.base());
        page.await(
                "that it is starting",
                () -> page.browser
                        .text("#state")
                        .equals(
                                "The service is starting: the first complete snapshot is not there yet. Trying again in 5 s."));
        assertTrue(
                page.browser.text("#source").startsWith("Source not known"),
                "nothing is shown as live before it is known");
        assertFalse(page.browser.value(ROWS).asBoolean());
        page.server.refusing = true;
        clock();
        passes(6);
        page.await("that it is refused", () -> page.browser.text("#state").startsWith("Too many requests from here"));
        long before = page.requests(LIST);
        for (int i = 0; i < 5; i++) {
            page.hidden(true);
            page.hidden(false);
        }
        assertEquals(before, page.requests(LIST), "a tab that is shown again waits for its retry time");
        page.server.refusing = false;
        page.serve(12);
        passes(3);
        page.awaitTrue("the list", ROWS);
        page.awaitTrue("no trouble", "document.querySelector('#trouble').hidden");
    }

    @Test
    void givesUpAResponseThatStops() throws Exception {
        page.serve(12);
        page.openMatrix("");
        clock();
        page.browser.value(
                "const timeout = AbortSignal.timeout; window.limits = [];"
                        + "AbortSignal.timeout = ms => { window.limits.push(ms); return timeout.call(AbortSignal, ms / 1000); }; true");
        // What is unchanged has no body that could stop.
        page.serve(12);
        var stalled = new CountDownLatch(1);
        page.server.stalled = stalled;
        try {
            passes(61);
            page.await(
                    "that it is away", () -> page.browser.text("#state").startsWith("The service cannot be reached"));
        } finally {
            page.server.stalled = null;
            stalled.countDown();
        }
        passes(16);
        page.awaitTrue("it is found again", "document.querySelector('#trouble').hidden");
        // The gateway ends a response that takes longer.
        assertTrue(page.browser.value("Math.min(...window.limits)").asLong() > 60_000);
    }

    @Test
    @Tag("nightly")
    void hiddenTabReadsOnlyWhenShownAgain() throws Exception {
        page.server.snapshot = null;
        page.browser.open(page.server.base());
        page.await("that it is starting", () -> page.browser.text("#state").endsWith("Trying again in 5 s."));
        clock();
        page.hidden(true);
        page.browser.value("window.ahead += 6000; document.dispatchEvent(new Event('visibilitychange'))");
        long before = page.requests(LIST);
        assertEquals(1, before, "a hidden page reads nothing");
        page.serve(12);
        page.hidden(false);
        page.awaitTrue("the list", ROWS);
    }

    @Test
    void keepsRatesWhileGatewayRestarts() throws Exception {
        page.serve(12);
        page.openMatrix("");
        clock();
        page.server.stop();
        try {
            passes(61);
            page.await(
                    "that it is away", () -> page.browser.text("#state").startsWith("The service cannot be reached"));
            assertTrue(page.browser.text("#state").contains("Shown is what was read at"), page.browser.text("#state"));
            assertTrue(page.browser.value(ROWS).asBoolean(), "the figures stay");
        } finally {
            page.server.start();
        }
        page.serve(12);
        passes(16);
        page.awaitTrue("it is found again", "document.querySelector('#trouble').hidden");
    }

    @Test
    @Tag("nightly")
    void pageAppearsBeforeRatesOnSlowNetwork() throws Exception {
        page.serve(40);
        page.network(300, 60_000);
        try {
            page.browser.open(page.server.base());
            page.awaitTrue("the frame", "document.querySelector('#views a[aria-current]') !== null");
            page.awaitTrue("the list", ROWS);
        } finally {
            page.network(0, -1);
        }
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void doesNotDownloadUnchangedSnapshotAgain() throws Exception {
        page.serve(12);
        page.openMatrix("");
        int before = page.server.unchangedLists.get();
        page.browser.call("Page.reload", Map.of());
        page.await("the browser sends the tag", () -> page.server.unchangedLists.get() > before);
        page.awaitTrue("the rates once more", ROWS);
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void positionAndFocusOutlastNewSnapshot() throws Exception {
        // Shown are whole seconds: two lists of one second would look the same.
        page.serve(200, System.currentTimeMillis() - 5_000);
        page.openMatrix("");
        page.awaitTrue("names", "document.querySelector('#matrix-table thead').textContent.includes('Deribit')");
        clock();
        page.browser.value("document.querySelector('#matrix-scroll').scrollTop = 2000");
        page.awaitTrue(
                "rows further down",
                "[...document.querySelectorAll('#matrix-table tbody tr')].some(row => row.dataset.i === '60')");
        page.browser.value("document.querySelector('#matrix-table tr[data-i=\"60\"]').cells[6].focus()");
        String before = page.browser.text("#generated");
        page.serve(200);
        passes(61);
        page.await("another generation", () -> !page.browser.text("#generated").equals(before));
        assertEquals(
                List.of("60", "6"),
                List.of(
                        page.browser
                                .value("document.activeElement.parentElement.dataset.i")
                                .asText(),
                        page.browser.value("document.activeElement.cellIndex").asText()));
        assertEquals(
                2000,
                page.browser
                        .value("document.querySelector('#matrix-scroll').scrollTop")
                        .asInt());
        page.nothingWentWrong();
    }

    private static Rate rate(String venue, String asset, String rate, long readMs) {
        return Market.row(venue, asset + "USDT", asset, rate, 8, readMs);
    }

    /** Asset, highest rate and how many exchanges, of each row. */
    private String matrix() throws Exception {
        return page.browser
                .value(
                        "[...document.querySelector('#matrix-table').tBodies[1].rows].map(row => row.cells[0].textContent + ' '"
                                + " + row.cells[2].firstElementChild.textContent).join()")
                .asText();
    }

    private long requestsOfChanges() {
        return page.browser.requests.stream()
                .filter(request ->
                        LIST.equals(request.getPath()) && request.getQuery().contains("&since="))
                .count();
    }

    @Test
    void nextSnapshotReplacesRates() throws Exception {
        long now = System.currentTimeMillis();
        Rate kept = rate("okx", "AAA", "0.0001", now - 20_000);
        page.server.snapshot = Market.snapshot(
                Source.LIVE,
                List.of(kept, rate("gate", "AAA", "0.0002", now - 20_000), rate("okx", "GONE", "0.0003", now - 20_000)),
                null,
                now - 10_000);
        page.openMatrix("#/?scope=okx,gate,bybit&sort=asset&order=up");
        assertEquals("AAA2 of 3 +0.0200,GONE1 of 3 +0.0300", matrix());
        clock();
        page.server.snapshot = Market.snapshot(
                page.server.snapshot,
                Source.LIVE,
                List.of(kept, rate("gate", "AAA", "-0.0005", now - 1_000), rate("bybit", "NEW", "0.0004", now - 1_000)),
                null,
                now);
        long before = requestsOfChanges();
        passes(16);
        page.await("the next snapshot", () -> matrix().equals("AAA2 of 3 +0.0100,NEW1 of 3 +0.0400"));
        assertEquals(before + 1, requestsOfChanges());
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void nothingIsRequestedWhileTheNewestIsKnown() throws Exception {
        page.server.maxAgeS = 600;
        page.serve(12);
        page.openMatrix("");
        clock();
        long before = page.requests(LIST);
        passes(300);
        passes(200);
        assertEquals(before, page.requests(LIST), "the service has stated that this is the newest");
        passes(101);
        page.await("another request", () -> page.requests(LIST) > before);
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void openTabFollowsChangedFragment() throws Exception {
        page.serve(12);
        page.openMatrix("");
        page.browser.value("location.hash = '#/asset/ETH'");
        page.awaitTrue("the coin", "document.querySelectorAll('#asset-table tbody tr').length > 0");
        assertEquals(
                "ETH",
                page.browser.value("document.querySelector('#find').value").asText());
        page.browser.value("location.hash = '#/?show=year&scope=all'");
        page.awaitTrue(
                "the matrix",
                "!document.querySelector('#matrix').hidden && document.querySelector('input[value=year]').checked");
        page.browser.value("location.hash = '#elsewhere'");
        assertFalse(
                page.browser.value("document.querySelector('#matrix').hidden").asBoolean(),
                "a place on the page is no view");
        page.nothingWentWrong();
    }
}
