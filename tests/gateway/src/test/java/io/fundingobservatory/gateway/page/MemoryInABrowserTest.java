package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.records.Source;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the page costs in memory. */
@ExtendWith(Page.Extension.class)
class MemoryInABrowserTest {
    private final Page page;

    MemoryInABrowserTest(Page page) {
        this.page = page;
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
