package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a notional pays or receives at the rates that are shown. */
class PaymentsInABrowserTest extends PageTest {
    private static final String SHOWN = "document.querySelectorAll('#asset-table tbody tr').length === 4";

    @BeforeEach
    void fourContracts() {
        long now = System.currentTimeMillis();
        serve(
                Market.NO_PAIRS,
                now,
                rate("okx", "USDT", ContractType.LINEAR, "0.0001", 4, now),
                rate("gate", "USD", ContractType.INVERSE, "-0.00000000000000000123", 1, now),
                rate("bybit", "USD", ContractType.QUANTO, "0.0003", 8, now),
                rate("htx", "USDT", ContractType.LINEAR, null, 8, now));
    }

    private static Rate rate(
            String venue, String quote, ContractType type, @Nullable String eight, int hours, long now) {
        return Market.row(venue, "X", "X", eight, hours, now - 1_000, "quote", quote, "contract_type", type);
    }

    /** The three payments at an exchange: of a settlement, of 8 hours, of a day. */
    private List<String> payments(String venue) throws Exception {
        return browser.table("asset-table").stream()
                .filter(cells -> cells.getFirst().equals(venue))
                .map(cells ->
                        cells.subList(6, 9).stream().map(PageTest::unpadded).toList())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void longsPayAndShortsReceiveOnNotional() throws Exception {
        open("#/asset/X", SHOWN);
        await("names", "document.querySelector('#asset-table').textContent.includes('OKX')");
        String headings = "document.querySelector('#asset-table thead').textContent";
        assertFalse(text(headings).contains("Payment"), "nothing without a notional");
        focus("#notional");
        browser.write("10000");
        await("the payments", headings + ".includes('Payment a settlement')");
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
        assertTrue(shown("#notional-words").contains("Never a forecast"));
        click("input[name=side][value=short]");
        await("the other side", () -> payments("OKX").equals(List.of("+0.5 USDT", "+1 USDT", "+3 USDT")));
        assertEquals("#/asset/X?notional=10000&side=short", text("location.hash"));

        open("#/asset/X?notional=1234567.89&side=long&sort=payday&order=down", SHOWN);
        await("names", "document.querySelector('#asset-table').textContent.includes('OKX')");
        assertEquals("1234567.89", text("document.querySelector('#notional').value"));
        // 1,234,567.89 × 0.0001 × 3
        assertEquals("−370.370367 USDT", payments("OKX").getLast());
        assertEquals(
                List.of("Gate", "OKX"),
                browser.table("asset-table").stream()
                        .map(List::getFirst)
                        .limit(2)
                        .toList());
        accessible("payments");
    }

    @Test
    @Tag("nightly")
    void whatIsNotAnAmountGivesNoPayment() throws Exception {
        for (String text : List.of("1,000", "1e3", "-5", "0", "0.00", "1.2.3", "NaN")) {
            open("#/asset/X?notional=" + text, SHOWN);
            assertEquals("true", text("document.querySelector('#notional').getAttribute('aria-invalid')"), text);
            assertTrue(shown("#notional-problem").startsWith("An amount is written in digits"), text);
            assertFalse(
                    text("document.querySelector('#asset-table thead').textContent")
                            .contains("Payment"),
                    text);
        }
        accessible("not an amount");
    }
}
