package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a reader wants rates and times written, and in which colours. */
class PreferencesInABrowserTest extends PageTest {
    private static final String TABLE = "document.querySelectorAll('#asset-table tbody tr').length > 0"
            + " && document.querySelector('#asset-table').textContent.includes('OKX')";
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm");

    @AfterEach
    void forget() throws Exception {
        value("localStorage.clear()");
    }

    /** One contract: 0.0001 per 8 hours, 0.00005 per 4 hours, 0.1095 a year, next settlement in an hour. */
    private void serve(long now) {
        serve(Market.NO_PAIRS, now, Samples.rate("okx", "XUSDT", "X", now), Samples.bare("gate", "XUSDT", "X", now));
    }

    private String plain(String expression) throws Exception {
        return unpadded(text(expression));
    }

    @Test
    void showsRatesInChosenUnit() throws Exception {
        serve(System.currentTimeMillis());
        openMatrix("#/?scope=okx,gate");
        String high = "document.querySelector('#matrix-table tbody td.edge b').textContent";
        String legend = "[...document.querySelectorAll('#matrix-legend li')].map(item => item.textContent).join(' ')";
        assertEquals("+0.0100", plain(high));
        assertEquals("−0.1 −0.03 −0.01 −0.002 0 +0.002 +0.01 +0.03 +0.1", plain(legend));
        assertTrue(shown("#matrix-caveat").startsWith("Percent of notional per 8 hours"));
        choose("#unit", "bps");
        assertEquals("+1.00", plain(high));
        assertEquals("−10 −3 −1 −0.2 0 +0.2 +1 +3 +10", plain(legend));
        assertTrue(shown("#matrix-caveat").startsWith("Basis points (0.01 %) of notional per 8 hours"));
        accessible("basis points");
        choose("#unit", "fraction");
        assertEquals("+0.000100", plain(high));
        assertEquals("−0.001 −0.0003 −0.0001 −0.00002 0 +0.00002 +0.0001 +0.0003 +0.001", plain(legend));

        // The unit outlasts a reload and holds for every view.
        choose("#unit", "bps");
        open("#/asset/X", TABLE);
        assertEquals("bps", plain("document.querySelector('#unit').value"));
        String cells =
                "[3, 4, 6].map(i => document.querySelector('#asset-table tbody tr').cells[i].textContent).join(' ')";
        assertEquals("+1 +0.5 +1095", plain(cells));
        String headings = plain("document.querySelector('#asset-table thead').textContent");
        assertTrue(headings.contains("8-hour rate, bps") && headings.contains("Annualised, bps"), headings);
        assertTrue(shown("#asset-summary").contains("+1 bps"), shown("#asset-summary"));
        assertEquals(
                "OKX XUSDT: +1 bps per 8 hours",
                plain("document.querySelector('#asset-strip .dot title').textContent"));
        choose("#unit", "fraction");
        assertEquals("+0.0001 +0.00005 +0.1095", plain(cells));
        choose("#unit", "percent");
        assertEquals("+0.01 +0.005 +10.95", plain(cells));
    }

    @Test
    @Tag("nightly")
    void localTimeIsBesideUtc() throws Exception {
        long now = System.currentTimeMillis();
        serve(now);
        Instant next = Instant.ofEpochMilli(now + 3_600_000);
        String cell = "document.querySelector('#asset-table time').textContent";
        open("#/asset/X", TABLE);
        String utc = DateTimeFormatter.ofPattern("MM-dd HH:mm 'UTC'")
                .withZone(ZoneOffset.UTC)
                .format(next);
        assertEquals(utc, plain(cell), "a clock on UTC shows no second time");
        assertTrue(holds("document.querySelector('#times').hidden"));
        for (String zone : List.of("Asia/Kolkata", "Pacific/Auckland", "Pacific/Honolulu")) {
            browser.zone(zone);
            open("#/asset/X", TABLE);
            var there = next.atZone(ZoneId.of(zone));
            boolean sameDay =
                    there.toLocalDate().equals(next.atZone(ZoneOffset.UTC).toLocalDate());
            String local = (sameDay ? "" : DateTimeFormatter.ofPattern("MM-dd ").format(there)) + MINUTE.format(there)
                    + " local";
            assertEquals(utc + " " + local, plain(cell), zone);
            assertTrue(shown("#asset-instants").contains(local), shown("#asset-instants"));
        }
        accessible("local time");
        String shown = "document.querySelector('#asset-table .local').checkVisibility()";
        assertTrue(holds(shown));
        browser.click("#times");
        assertEquals("Times: UTC", shown("#times"));
        assertTrue(!holds(shown), "switched off");
        open("#/asset/X", TABLE);
        assertTrue(!holds(shown), "and remembered");
    }

    @Test
    @Tag("nightly")
    void themeAndUnitAreThereOnAPhone() throws Exception {
        serve(System.currentTimeMillis());
        browser.look(390, 844, 2, true, "light");
        openMatrix("");
        for (String id : List.of("theme", "unit", "find")) {
            assertTrue(
                    holds(
                            "(() => { const box = document.getElementById('" + id
                                    + "').getBoundingClientRect();"
                                    + " return box.width > 30 && box.height > 20 && box.left >= 0 && box.right <= innerWidth; })()"),
                    id + " is in view");
        }
        String ground = "getComputedStyle(document.body).backgroundColor";
        String light = plain(ground);
        browser.click("#theme");
        assertEquals(light, plain(ground), "from auto to light");
        browser.click("#theme");
        assertEquals("dark", plain("document.documentElement.dataset.theme"));
        assertTrue(!light.equals(plain(ground)), "dark");
        reload();
        await("it is remembered", "document.querySelector('#theme')?.textContent === 'Theme: dark'");
    }
}
