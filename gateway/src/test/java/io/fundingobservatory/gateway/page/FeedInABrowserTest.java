package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
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

    /** Time passes for the page, which learns of it as when it is shown again. */
    private void passes(int seconds) throws Exception {
        page.browser.value("window.ahead += " + seconds * 1000);
        page.hidden(false);
    }

    @Test
    void whileItStartsOrRefusesThePageSaysSoAndTriesAgain() throws Exception {
        page.server.snapshot = null;
        page.browser.open(page.server.base());
        page.await(
                "that it is starting",
                () -> page.browser
                        .text("#state")
                        .equals(
                                "The service is starting: the first complete list is not there yet. Trying again in 5 s."));
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
        assertEquals(before, page.requests(LIST), "a tab that is shown again waits as long as it was asked to");
        page.server.refusing = false;
        page.serve(12);
        passes(3);
        page.awaitTrue("the list", ROWS);
        page.awaitTrue("no trouble", "document.querySelector('#trouble').hidden");
    }

    @Test
    void aHiddenTabReadsNothingAndCatchesUpWhenItIsShown() throws Exception {
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
    void aGatewayThatRestartsIsFoundAgainAndTheFiguresStayMeanwhile() throws Exception {
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
    void overASlowNetworkThePageIsThereBeforeItsFigures() throws Exception {
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
    void aListThatIsThereAlreadyIsNotSentAgain() throws Exception {
        page.serve(12);
        page.openMatrix("");
        int before = page.server.unchangedLists.get();
        page.browser.call("Page.reload", Map.of());
        page.await("the browser asks with the tag", () -> page.server.unchangedLists.get() > before);
        page.awaitTrue("the rates once more", ROWS);
        page.nothingWentWrong();
    }

    @Test
    void placeAndFocusOutlastANewList() throws Exception {
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

    @Test
    void anAddressThatWasPassedOnIsShownInATabThatIsOpen() throws Exception {
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
