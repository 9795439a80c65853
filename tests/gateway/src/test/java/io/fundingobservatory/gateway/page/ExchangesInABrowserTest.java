package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.ListedVenue;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The list of exchanges, and how to read the values. */
@ExtendWith(Page.Extension.class)
class ExchangesInABrowserTest {
    private static final String SHOWN = "document.querySelectorAll('#exchanges-table tbody tr').length > 0";

    private final Page page;

    ExchangesInABrowserTest(Page page) {
        this.page = page;
    }

    @Test
    void showsEveryListedExchangeOrItsReason() throws Exception {
        Market market = page.serve(30);
        page.open("#/exchanges", SHOWN);
        Map<String, List<String>> rows = page.browser.table("exchanges-table").stream()
                .collect(Collectors.toMap(
                        cells -> cells.getFirst().replace(" protocol", "").strip(), cells -> cells));
        assertEquals(ListedVenue.ALL.size(), rows.size());
        List<String> okx = rows.get("OKX");
        long contracts =
                market.rows.stream().filter(row -> row.venue().equals("okx")).count();
        assertEquals("yes", okx.get(1));
        assertEquals(Long.toString(contracts), okx.get(2));
        assertTrue(okx.get(7).endsWith((contracts / 2) + " of " + contracts), okx.get(7));
        assertEquals("0.00125 %", okx.get(8));
        assertEquals("0.025 % of 90", okx.get(9));
        assertEquals("docs.example", okx.get(11));
        assertTrue(
                rows.get("Deribit").get(1).startsWith("missing HTTP 403 <b>"),
                rows.get("Deribit").get(1));
        page.browser.value("document.querySelector('#exchanges-show').value = 'missing';"
                + "document.querySelector('#exchanges-show').dispatchEvent(new Event('change'))");
        assertEquals(
                List.of("Deribit", "Poloniex"),
                page.browser.table("exchanges-table").stream()
                        .map(cells -> cells.getFirst().strip())
                        .toList());
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void instructionsComeFromIndexAndNameThisService() throws Exception {
        page.serve(12);
        page.open("#/read", "document.querySelectorAll('#read-fields dt').length === 4");
        String text = page.browser.text("#read");
        for (String part : List.of(
                "funding_rate_8h",
                "price_scale",
                "/api/v1/history",
                "120 points a minute",
                "kcat -b 127.0.0.1:9092",
                "SKILL.md")) {
            assertTrue(text.contains(part), part);
        }
        assertTrue(
                text.contains(
                        "curl -s --compressed '" + page.server.base() + "api/v1/latest?assets=BTC,ETH&venues=all'"),
                text);
        page.accessible("how to read it");
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void isAccessibleInBothThemesAndOnPhone() throws Exception {
        page.serve(8);
        page.open("#/exchanges", SHOWN);
        page.accessibleInEveryLook();
        page.nothingWentWrong();
    }
}
