package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPricingTest extends SiteFixture {
    private static final List<String> LARGE =
            List.of("binance", "bybit", "okx", "gate", "mexc", "bitget", "kucoin", "htx");

    /** Eight venues with 750 rows each, as the largest have: 2.4 MB as plain text. */
    private static Snapshot largeVenues() {
        var rows = new ArrayList<Rate>();
        for (String venue : LARGE) {
            for (int i = 0; i < 750; i++) {
                rows.add(Samples.rate(venue, "S" + i + "USDT", "A" + i, NOW - i));
            }
        }
        return snapshot(NOW, rows, Map.of());
    }

    @Test
    void namedVenuesCostByWhatIsSent() {
        Snapshot large = largeVenues();
        String all = "/api/v1/latest?venues=" + String.join(",", LARGE);
        double list = site.price(request("GET", "/api/v1/latest", "gzip"), large)
                .cost()
                .points();
        assertEquals(6, list);
        SiteResponse plain = responses(request("GET", all), large);
        assertTrue(bytes(plain).length > 2_000_000, bytes(plain).length + " bytes");
        assertTrue(site.price(request("GET", all), large).cost().points() >= list, "as plain text");
        assertEquals(1, site.price(request("GET", all, "gzip"), large).cost().points(), "as gzip");
        assertEquals(
                1,
                site.price(request("GET", "/api/v1/latest?venues=okx"), large)
                        .cost()
                        .points(),
                "one venue");
    }

    /** What a snapshot has made is found before the router; the first request for it is rendered. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1",
                "/api/v1/venues",
                "/api/v1/latest?venues=okx,lbank",
                "/api/v1/latest?assets=BTC",
                "/api/v1/latest?layout=columns",
                "/api/v1/latest?venues=all&order=-funding_rate_8h&limit=3"
            })
    void whatWasMadeOnceIsPrepared(String address) {
        Snapshot snapshot = snapshot();
        assertNull(site.price(request("GET", address, "gzip"), snapshot).prepared());
        SiteResponse made = responses(request("GET", address, "gzip"), snapshot);
        Priced.Prepared prepared =
                site.price(request("GET", address, "gzip"), snapshot).prepared();
        assertNotNull(prepared);
        assertEquals(Coding.GZIP, prepared.coding());
        assertSame(made.body(), Site.prepared(prepared, NOW, snapshot).body());
        Priced again = site.price(request("GET", address, "gzip", made.headers().get("ETag")), snapshot);
        assertEquals(1, again.cost().points());
        assertTrue(again.prepared() != null && again.prepared().unchanged());
    }

    /** A client that waits for the first snapshot has all its points when it is there. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/api/v1", "/api/v1/latest", "/api/v1/latest?assets=BTC", "/api/v1/venues", "/api/v1/carry"})
    void startingCostsNothing(String address) {
        Priced priced = site.price(request("GET", address), null);
        assertEquals(503, responses(request("GET", address), null).status());
        assertEquals(0, priced.cost().points());
        assertEquals(Set.of(), priced.cost().names());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/latest", "/api/v1/latest?layout=rows"})
    void theWholeListIsPreparedWithTheSnapshot(String address) {
        Snapshot now = snapshot();
        assertNotNull(site.price(request("GET", address), now).prepared());
        String tag = responses(request("GET", address), now).headers().get("ETag");
        assertEquals(1, site.price(request("GET", address, tag), now).cost().points());
    }

    @Test
    void fewRowsCostTwoPoints() {
        Snapshot now = snapshot();
        assertEquals(2, points("/api/v1/latest?venues=all&limit=500", now));
        assertEquals(6, points("/api/v1/latest?venues=all&limit=501", now));
        assertEquals(6, points("/api/v1/latest?layout=columns", now));
        assertEquals(6, points("/api/v1/latest?since=" + "0".repeat(32), now));
    }

    @Test
    void limitNeverCostsMoreThanNone() {
        Snapshot large = largeVenues();
        String venues = "/api/v1/latest?venues=" + String.join(",", LARGE);
        assertEquals(1, points("/api/v1/latest?venues=okx&limit=10", large));
        assertEquals(6, points(venues + "&limit=501", large));
        assertEquals(2, points(venues + "&limit=10", large));
    }

    private static List<Rate> hundredRows() {
        var rows = new ArrayList<Rate>();
        for (int i = 0; i < 100; i++) {
            rows.add(Samples.rate("okx", "S" + i, "A" + i, NOW - 1_000));
        }
        return rows;
    }

    private String changesSince(Snapshot snapshot) {
        String tag =
                responses(request("GET", "/api/v1/latest"), snapshot).headers().get("ETag");
        return "/api/v1/latest?since=" + tag.replace("\"", "");
    }

    @Test
    void unchangedChangesCostOnePoint() {
        List<Rate> rows = hundredRows();
        Snapshot first = snapshot(NOW, rows, Map.of());
        String known = changesSince(first);
        rows.replaceAll(row -> Samples.rate("okx", row.symbol(), row.asset(), NOW));
        Snapshot next = following(first, NOW + 5_000, rows);
        assertEquals(6, points(known, next));
        String changes = responses(request("GET", known), next).headers().get("ETag");
        assertEquals(6, points(known, next), "without the tag");
        SiteRequest again = request("GET", known, changes);
        assertEquals(304, responses(again, next).status());
        assertEquals(1, site.price(again, next).cost().points());
    }

    /** The page of the service follows its list so: viewers behind one address must not refuse each other. */
    @Test
    void changesCostTheirPartOfTheList() {
        List<Rate> rows = hundredRows();
        Snapshot first = snapshot(NOW, rows, Map.of());
        String known = changesSince(first);
        assertEquals(1, points(known, first));
        int[] changed = {1, 25, 60, 100};
        double[] points = {1, 2, 4, 6};
        for (int i = 0; i < changed.length; i++) {
            for (int row = 0; row < changed[i]; row++) {
                rows.set(row, Samples.rate("okx", "S" + row, "A" + row, NOW));
            }
            Snapshot next = following(first, NOW + 5_000, rows);
            assertEquals(points[i], points(known, next), changed[i] + " of 100 rows");
        }
    }

    private double points(String address, Snapshot snapshot) {
        return site.price(request("GET", address), snapshot).cost().points();
    }
}
