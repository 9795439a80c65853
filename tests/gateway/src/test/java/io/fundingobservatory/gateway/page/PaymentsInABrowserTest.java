package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a notional pays or receives at the rates that are shown. */
@ExtendWith(Page.Extension.class)
class PaymentsInABrowserTest {
    private static final String SHOWN = "document.querySelectorAll('#asset-table tbody tr').length === 4";

    private final Page page;

    PaymentsInABrowserTest(Page page) {
        this.page = page;
    }

    @BeforeEach
    void fourContracts() {
        long now = System.currentTimeMillis();
        page.server.snapshot = Market.snapshot(
                Source.LIVE,
                List.of(
                        rate("okx", "USDT", ContractType.LINEAR, "0.0001", 4, now),
                        rate("gate", "USD", ContractType.INVERSE, "-0.00000000000000000123", 1, now),
                        rate("bybit", "USD", ContractType.QUANTO, "0.0003", 8, now),
                        rate("htx", "USDT", ContractType.LINEAR, null, 8, now)),
                Market.NO_PAIRS,
                now);
    }

    private static Rate rate(
            String venue, String quote, ContractType type, @Nullable String eight, int hours, long now) {
        return Market.row(venue, "X", "X", eight, hours, now - 1_000, "quote", quote, "contract_type", type);
    }

    /** The three payments at an exchange: of a settlement, of 8 hours, of a day. */
    private List<String> payments(String venue) throws Exception {
        return page.browser.table("asset-table").stream()
                .filter(cells -> cells.getFirst().equals(venue))
                .map(cells -> cells.subList(6, 9).stream()
                        .map(cell -> cell.replaceAll("[\u2007\u2008]", ""))
                        .toList())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void longsPayAndShortsReceiveOnNotional() throws Exception {
        page.open("#/asset/X", SHOWN);
        page.awaitTrue("names", "document.querySelector('#asset-table').textContent.includes('OKX')");
        String headings = "document.querySelector('#asset-table thead').textContent";
        assertFalse(page.browser.value(headings).asText().contains("Payment"), "nothing without a notional");
        page.browser.value("document.querySelector('#notional').focus()");
        page.write("10000");
        page.awaitTrue("the payments", headings + ".includes('Payment a settlement')");
        assertEquals(List.of("−0.5 USDT", "−1 USDT", "−3 USDT"), payments("OKX"));
        assertEquals(
                List.of("+0.0000000000000015375 USD", "+0.0000000000000123 USD", "+0.0000000000000369 USD"),
                payments("Gate"));
        for (String cell : payments("Bybit")) {
            assertTrue(cell.startsWith("– not known: a quanto contract"), cell);
        }
        for (String cell : payments("HTX")) {
            assertTrue(cell.startsWith("– not known: the exchange published no rate"), cell);
        }
        assertTrue(page.browser.text("#notional-words").contains("Never a forecast"));
        page.browser.value("document.querySelector('input[name=side][value=short]').click()");
        page.await("the other side", () -> payments("OKX").equals(List.of("+0.5 USDT", "+1 USDT", "+3 USDT")));
        assertEquals(
                "#/asset/X?notional=10000&side=short",
                page.browser.value("location.hash").asText());

        page.open("#/asset/X?notional=1234567.89&side=long&sort=payday&order=down", SHOWN);
        page.awaitTrue("names", "document.querySelector('#asset-table').textContent.includes('OKX')");
        assertEquals(
                "1234567.89",
                page.browser.value("document.querySelector('#notional').value").asText());
        // 1,234,567.89 × 0.0001 × 3
        assertEquals("−370.370367 USDT", payments("OKX").getLast());
        assertEquals(
                List.of("Gate", "OKX"),
                page.browser.table("asset-table").stream()
                        .map(List::getFirst)
                        .limit(2)
                        .toList());
        page.accessible("payments");
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void whatIsNotAnAmountGivesNoPayment() throws Exception {
        for (String text : List.of("1,000", "1e3", "-5", "0", "0.00", "1.2.3", "NaN")) {
            page.open("#/asset/X?notional=" + text, SHOWN);
            assertEquals(
                    "true",
                    page.browser
                            .value("document.querySelector('#notional').getAttribute('aria-invalid')")
                            .asText(),
                    text);
            assertTrue(page.browser.text("#notional-problem").startsWith("An amount is written in digits"), text);
            assertFalse(
                    page.browser
                            .value("document.querySelector('#asset-table thead').textContent")
                            .asText()
                            .contains("Payment"),
                    text);
        }
        page.accessible("not an amount");
        page.nothingWentWrong();
    }
}
