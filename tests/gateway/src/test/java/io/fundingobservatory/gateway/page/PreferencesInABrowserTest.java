package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.records.Source;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How a reader wants rates and times written, and in which colours. */
@ExtendWith(Page.Extension.class)
class PreferencesInABrowserTest {
    private static final String TABLE = "document.querySelectorAll('#asset-table tbody tr').length > 0"
            + " && document.querySelector('#asset-table').textContent.includes('OKX')";
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm");

    private final Page page;

    PreferencesInABrowserTest(Page page) {
        this.page = page;
    }

    @AfterEach
    void forget() throws Exception {
        page.browser.value("localStorage.clear()");
    }

    /** One contract: 0.0001 per 8 hours, 0.00005 per 4 hours, 0.1095 a year, next settlement in an hour. */
    private void serve(long now) {
        page.server.snapshot = Market.snapshot(
                Source.LIVE,
                List.of(Samples.rate("okx", "XUSDT", "X", now), Samples.bare("gate", "XUSDT", "X", now)),
                Market.NO_PAIRS,
                now);
    }

    private void choose(String unit) throws Exception {
        page.browser.value("document.querySelector('#unit').value = '" + unit
                + "'; document.querySelector('#unit').dispatchEvent(new Event('change'))");
    }

    private String plain(String expression) throws Exception {
        return page.browser.value(expression).asText().replaceAll("[\u2007\u2008]", "");
    }

    @Test
    void showsRatesInChosenUnit() throws Exception {
        serve(System.currentTimeMillis());
        page.openMatrix("#/?scope=okx,gate");
        String high = "document.querySelector('#matrix-table tbody td.edge b').textContent";
        String legend = "[...document.querySelectorAll('#matrix-legend li')].map(item => item.textContent).join(' ')";
        assertEquals("+0.0100", plain(high));
        assertEquals("−0.1 −0.03 −0.01 −0.002 0 +0.002 +0.01 +0.03 +0.1", plain(legend));
        assertTrue(page.browser.text("#matrix-caveat").startsWith("Percent of notional per 8 hours"));
        choose("bps");
        assertEquals("+1.00", plain(high));
        assertEquals("−10 −3 −1 −0.2 0 +0.2 +1 +3 +10", plain(legend));
        assertTrue(page.browser.text("#matrix-caveat").startsWith("Basis points (0.01 %) of notional per 8 hours"));
        page.accessible("basis points");
        choose("fraction");
        assertEquals("+0.000100", plain(high));
        assertEquals("−0.001 −0.0003 −0.0001 −0.00002 0 +0.00002 +0.0001 +0.0003 +0.001", plain(legend));

        // The unit outlasts a reload and holds for every view.
        choose("bps");
        page.open("#/asset/X", TABLE);
        assertEquals("bps", plain("document.querySelector('#unit').value"));
        String cells =
                "[3, 4, 6].map(i => document.querySelector('#asset-table tbody tr').cells[i].textContent).join(' ')";
        assertEquals("+1 +0.5 +1095", plain(cells));
        String headings = plain("document.querySelector('#asset-table thead').textContent");
        assertTrue(headings.contains("8-hour rate, bps") && headings.contains("Annualised, bps"), headings);
        assertTrue(page.browser.text("#asset-summary").contains("+1 bps"), page.browser.text("#asset-summary"));
        assertEquals(
                "OKX XUSDT: +1 bps per 8 hours",
                plain("document.querySelector('#asset-strip .dot title').textContent"));
        choose("fraction");
        assertEquals("+0.0001 +0.00005 +0.1095", plain(cells));
        choose("percent");
        assertEquals("+0.01 +0.005 +10.95", plain(cells));
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void localTimeIsBesideUtc() throws Exception {
        long now = System.currentTimeMillis();
        serve(now);
        Instant next = Instant.ofEpochMilli(now + 3_600_000);
        String cell = "document.querySelector('#asset-table time').textContent";
        page.open("#/asset/X", TABLE);
        String utc = DateTimeFormatter.ofPattern("MM-dd HH:mm 'UTC'")
                .withZone(ZoneOffset.UTC)
                .format(next);
        assertEquals(utc, plain(cell), "a clock on UTC shows no second time");
        assertTrue(page.browser.value("document.querySelector('#times').hidden").asBoolean());
        for (String zone : List.of("Asia/Kolkata", "Pacific/Auckland", "Pacific/Honolulu")) {
            page.browser.zone(zone);
            page.open("#/asset/X", TABLE);
            var there = next.atZone(ZoneId.of(zone));
            boolean sameDay =
                    there.toLocalDate().equals(next.atZone(ZoneOffset.UTC).toLocalDate());
            String local = (sameDay ? "" : DateTimeFormatter.ofPattern("MM-dd ").format(there)) + MINUTE.format(there)
                    + " local";
            assertEquals(utc + " " + local, plain(cell), zone);
            assertTrue(page.browser.text("#asset-instants").contains(local), page.browser.text("#asset-instants"));
        }
        page.accessible("local time");
        String shown = "document.querySelector('#asset-table .local').checkVisibility()";
        assertTrue(page.browser.value(shown).asBoolean());
        page.browser.click("#times");
        assertEquals("Times: UTC", page.browser.text("#times"));
        assertTrue(!page.browser.value(shown).asBoolean(), "switched off");
        page.open("#/asset/X", TABLE);
        assertTrue(!page.browser.value(shown).asBoolean(), "and remembered");
        page.nothingWentWrong();
    }

    @Test
    @Tag("nightly")
    void themeAndUnitAreThereOnAPhone() throws Exception {
        serve(System.currentTimeMillis());
        page.browser.look(390, 844, 2, true, "light");
        page.openMatrix("");
        for (String id : List.of("theme", "unit", "find")) {
            assertTrue(
                    page.browser
                            .value(
                                    "(() => { const box = document.getElementById('" + id
                                            + "').getBoundingClientRect();"
                                            + " return box.width > 30 && box.height > 20 && box.left >= 0 && box.right <= innerWidth; })()")
                            .asBoolean(),
                    id + " is in view");
        }
        String ground = "getComputedStyle(document.body).backgroundColor";
        String light = plain(ground);
        page.browser.click("#theme");
        assertEquals(light, plain(ground), "from auto to light");
        page.browser.click("#theme");
        assertEquals("dark", plain("document.documentElement.dataset.theme"));
        assertTrue(!light.equals(plain(ground)), "dark");
        page.browser.call("Page.reload", Map.of());
        page.awaitTrue("it is remembered", "document.querySelector('#theme')?.textContent === 'Theme: dark'");
        page.nothingWentWrong();
    }
}
