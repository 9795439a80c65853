package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.ListedVenue;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The list of exchanges, and how to read the values. */
class ExchangesInABrowserTest extends PageTest {
    private static final String SHOWN = "document.querySelectorAll('#exchanges-table tbody tr').length > 0";

    @Test
    void showsEveryListedExchangeOrItsReason() throws Exception {
        Market market = serve(30);
        open("#/exchanges", SHOWN);
        Map<String, List<String>> rows = browser.table("exchanges-table").stream()
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
        choose("#exchanges-show", "missing");
        assertEquals(
                List.of("Deribit", "Poloniex"),
                browser.table("exchanges-table").stream()
                        .map(cells -> cells.getFirst().strip())
                        .toList());
    }

    @Test
    @Tag("nightly")
    void instructionsComeFromIndexAndNameThisService() throws Exception {
        serve(12);
        open("#/read", "document.querySelectorAll('#read-fields dt').length === 4");
        String text = shown("#read");
        assertContains(
                text,
                "funding_rate_8h",
                "price_scale",
                "/api/v1/history",
                "120 points a minute",
                "kcat -b 127.0.0.1:9092",
                "SKILL.md");
        assertTrue(
                text.contains("curl -s --compressed '" + server.base() + "api/v1/latest?assets=BTC,ETH&venues=all'"),
                text);
        accessible("how to read it");
    }

    @Test
    @Tag("nightly")
    void isAccessibleInBothThemesAndOnPhone() throws Exception {
        serve(8);
        open("#/exchanges", SHOWN);
        accessibleInEveryLook();
    }
}
