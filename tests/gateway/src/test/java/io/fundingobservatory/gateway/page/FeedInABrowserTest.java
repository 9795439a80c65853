package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.Source;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page while the service starts, refuses, is away or slow, and while nobody looks. */
class FeedInABrowserTest extends PageTest {
    private static final String LIST = "/api/v1/latest";

    @Test
    void reportsStartOrRefusalAndRetries() throws Exception {
        troubleIsExpected();
        server.snapshot = null;
        browser.open(server.base());
        await(
                "that it is starting",
                () -> shown("#state")
                        .equals(
                                "The service is starting: the first complete snapshot is not there yet. Trying again in 5 s."));
        assertTrue(shown("#source").startsWith("Source not known"), "nothing is shown as live before it is known");
        assertFalse(holds(ROWS));
        server.refusing = true;
        clock();
        passes(6);
        await("that it is refused", () -> shown("#state").startsWith("Too many requests from here"));
        long before = requests(LIST);
        for (int i = 0; i < 5; i++) {
            hidden(true);
            hidden(false);
        }
        assertEquals(before, requests(LIST), "a tab that is shown again waits for its retry time");
        server.refusing = false;
        serve(12);
        passes(3);
        await("the list", ROWS);
        await("no trouble", "document.querySelector('#trouble').hidden");
    }

    @Test
    void givesUpAResponseThatStops() throws Exception {
        troubleIsExpected();
        serve(12);
        openMatrix("");
        clock();
        value(
                "const timeout = AbortSignal.timeout; window.limits = [];"
                        + "AbortSignal.timeout = ms => { window.limits.push(ms); return timeout.call(AbortSignal, ms / 1000); }; true");
        // What is unchanged has no body that could stop.
        serve(12);
        var stalled = new CountDownLatch(1);
        server.stalled = stalled;
        try {
            passes(61);
            await("that it is away", () -> shown("#state").startsWith("The service cannot be reached"));
        } finally {
            server.stalled = null;
            stalled.countDown();
        }
        passes(16);
        await("it is found again", "document.querySelector('#trouble').hidden");
        // The gateway ends a response that takes longer.
        assertTrue(number("Math.min(...window.limits)") > 60_000);
    }

    @Test
    @Tag("nightly")
    void hiddenTabReadsOnlyWhenShownAgain() throws Exception {
        troubleIsExpected();
        server.snapshot = null;
        browser.open(server.base());
        await("that it is starting", () -> shown("#state").endsWith("Trying again in 5 s."));
        clock();
        hidden(true);
        value("window.ahead += 6000; document.dispatchEvent(new Event('visibilitychange'))");
        long before = requests(LIST);
        assertEquals(1, before, "a hidden page reads nothing");
        serve(12);
        hidden(false);
        await("the list", ROWS);
    }

    @Test
    void keepsRatesWhileGatewayRestarts() throws Exception {
        troubleIsExpected();
        serve(12);
        openMatrix("");
        clock();
        server.stop();
        try {
            passes(61);
            await("that it is away", () -> shown("#state").startsWith("The service cannot be reached"));
            assertTrue(shown("#state").contains("Shown is what was read at"), shown("#state"));
            assertTrue(holds(ROWS), "the figures stay");
        } finally {
            server.start();
        }
        serve(12);
        passes(16);
        await("it is found again", "document.querySelector('#trouble').hidden");
    }

    @Test
    @Tag("nightly")
    void pageAppearsBeforeRatesOnSlowNetwork() throws Exception {
        serve(40);
        network(300, 60_000);
        try {
            browser.open(server.base());
            await("the frame", "document.querySelector('#views a[aria-current]') !== null");
            await("the list", ROWS);
        } finally {
            network(0, -1);
        }
    }

    @Test
    @Tag("nightly")
    void doesNotDownloadUnchangedSnapshotAgain() throws Exception {
        serve(12);
        openMatrix("");
        int before = server.unchangedLists.get();
        reload();
        await("the browser sends the tag", () -> server.unchangedLists.get() > before);
        await("the rates once more", ROWS);
    }

    @Test
    @Tag("nightly")
    void positionAndFocusOutlastNewSnapshot() throws Exception {
        // Shown are whole seconds: two lists of one second would look the same.
        serve(200, System.currentTimeMillis() - 5_000);
        openMatrix("");
        clock();
        value("document.querySelector('#matrix-scroll').scrollTop = 2000");
        await(
                "rows further down",
                "[...document.querySelectorAll('#matrix-table tbody tr')].some(row => row.dataset.i === '60')");
        value("document.querySelector('#matrix-table tr[data-i=\"60\"]').cells[6].focus()");
        String before = shown("#generated");
        serve(200);
        passes(61);
        await("another generation", () -> !shown("#generated").equals(before));
        assertEquals(
                List.of("60", "6"),
                List.of(
                        text("document.activeElement.parentElement.dataset.i"),
                        text("document.activeElement.cellIndex")));
        assertEquals(2000, number("document.querySelector('#matrix-scroll').scrollTop"));
    }

    private static Rate rate(String venue, String asset, String rate, long readMs) {
        return Market.row(venue, asset + "USDT", asset, rate, 8, readMs);
    }

    /** Of each row: asset and how many exchanges, spread, highest and lowest rate. */
    private String matrix() throws Exception {
        return text(
                "[...document.querySelector('#matrix-table').tBodies[1].rows].map(row => row.cells[0].textContent + ' '"
                        + " + [1, 2, 3].map(i => row.cells[i].firstElementChild.textContent).join(' ')).join()");
    }

    private long requestsOfChanges() {
        return browser.requests.stream()
                .filter(request ->
                        LIST.equals(request.getPath()) && request.getQuery().contains("&since="))
                .count();
    }

    @Test
    void nextSnapshotReplacesRates() throws Exception {
        long now = System.currentTimeMillis();
        Rate kept = rate("okx", "AAA", "0.0001", now - 20_000);
        serve(
                null,
                now - 10_000,
                kept,
                rate("gate", "AAA", "0.0002", now - 20_000),
                rate("okx", "GONE", "0.0003", now - 20_000));
        openMatrix("#/?scope=okx,gate,bybit&sort=asset&order=up");
        assertEquals("AAA2 of 3 0.0100 +0.0200 +0.0100,GONE1 of 3 – +0.0300 +0.0300", matrix());
        clock();
        server.snapshot = Market.snapshot(
                server.snapshot,
                Source.LIVE,
                List.of(kept, rate("gate", "AAA", "-0.0005", now - 1_000), rate("bybit", "NEW", "0.0004", now - 1_000)),
                null,
                now);
        long before = requestsOfChanges();
        passes(16);
        await(
                "the next snapshot",
                () -> matrix().equals("AAA2 of 3 0.0600 +0.0100 −0.0500,NEW1 of 3 – +0.0400 +0.0400"));
        assertEquals(before + 1, requestsOfChanges());
    }

    @Test
    @Tag("nightly")
    void nothingIsRequestedWhileTheNewestIsKnown() throws Exception {
        server.maxAgeS = 600;
        serve(12);
        openMatrix("");
        clock();
        long before = requests(LIST);
        passes(300);
        passes(200);
        assertEquals(before, requests(LIST), "the service has stated that this is the newest");
        passes(101);
        await("another request", () -> requests(LIST) > before);
    }

    @Test
    @Tag("nightly")
    void openTabFollowsChangedFragment() throws Exception {
        serve(12);
        openMatrix("");
        value("location.hash = '#/asset/ETH'");
        await("the coin", "document.querySelectorAll('#asset-table tbody tr').length > 0");
        assertEquals("ETH", text("document.querySelector('#find').value"));
        value("location.hash = '#/?show=year&scope=all'");
        await(
                "the matrix",
                "!document.querySelector('#matrix').hidden && document.querySelector('input[value=year]').checked");
        value("location.hash = '#elsewhere'");
        assertFalse(holds("document.querySelector('#matrix').hidden"), "a place on the page is no view");
    }

    @Test
    @Tag("nightly")
    void memoryIsSteadyOverAnHourOfLists() throws Exception {
        Market market = serve(60);
        openMatrix("#/?scope=all");
        clock();
        refresh(market, 5);
        long before = browser.heapBytes();
        refresh(market, 60);
        long after = browser.heapBytes();
        System.out.println("The page's heap: " + before / 1024 + " kB after 5 lists, " + after / 1024 + " kB after 65");
        // Each of the 60 lists that were let go would take more than half a megabyte.
        assertTrue(after < before + 5_000_000, before + " bytes, then " + after);
    }

    /** So many minutes pass; each brings another list. */
    private void refresh(Market market, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            long now = System.currentTimeMillis();
            server.snapshot = Market.snapshot(Source.SIMULATED, market.rows, null, now);
            long before = requests(LIST);
            await("another list", () -> {
                // While a response is on its way, none is due.
                passes(61);
                return requests(LIST) > before;
            });
        }
    }
}
