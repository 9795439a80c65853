package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.topics.records.Rate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content codings, tags, dates and how long a response may be kept. */
class SiteResponseTest extends SiteFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {"/api/v1/latest", "/api/v1/venues", "/api/v1", "/api/v1/latest?venues=lbank", "/manifest.json"})
    void gzipInflatesToTheIdentityBytes(String address) throws IOException {
        SiteResponse plain = get(address);
        SiteResponse packed = get(address, "br;q=1, gzip;q=0.5");
        assertNull(plain.headers().get("Content-Encoding"));
        assertEquals("gzip", packed.headers().get("Content-Encoding"));
        assertNotEquals(plain.headers().get("ETag"), packed.headers().get("ETag"));
        assertArrayEquals(bytes(plain), new GZIPInputStream(new ByteArrayInputStream(bytes(packed))).readAllBytes());
        assertEquals("Accept-Encoding", packed.headers().get("Vary"));
        assertNull(get(address, "gzip;q=0, *").headers().get("Content-Encoding"));
        assertNull(get(address, "identity").headers().get("Content-Encoding"));
    }

    @Test
    void joinedGzipInflatesToPlainBytes() throws IOException {
        var rows = new ArrayList<Rate>();
        for (String venue : List.of("binance", "bybit", "okx", "gate", "mexc")) {
            for (int i = 0; i < 400; i++) {
                rows.add(Samples.rate(venue, "S" + i, "A" + i, NOW - i));
            }
        }
        Snapshot big = snapshot(NOW, rows, Map.of());
        byte[] plain = bytes(responses(request("GET", "/api/v1/latest"), big));
        byte[] packed = bytes(responses(request("GET", "/api/v1/latest", "gzip"), big));
        assertArrayEquals(plain, new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes());
        assertTrue(packed.length * 5 < plain.length, packed.length + " of " + plain.length);
        assertEquals(2_000, JSON.readTree(plain).path("rows").size());
    }

    @Test
    void tagGives304AndChangesWithSnapshot() {
        SiteResponse first = get("/api/v1/latest");
        String tag = first.headers().get("ETag");
        for (String condition :
                List.of(tag, "W/" + tag, "\"other\", " + tag, "W/\"other\",W/" + tag + " , \"more\"", "W/\"x\", *")) {
            SiteResponse again = get("/api/v1/latest", condition);
            assertEquals(304, again.status(), condition);
            var kept = new HashMap<>(first.headers());
            kept.remove("Content-Type");
            kept.remove("Content-Length");
            assertEquals(kept, again.headers(), "everything that a cache is to renew");
            assertEquals(tag, again.headers().get("ETag"));
            assertEquals(List.of(), Routed.pieces(again));
        }
        assertEquals(200, get("/api/v1/latest", tag, "gzip").status(), "another coding has another tag");
        SiteResponse later = responses(request("GET", "/api/v1/latest", tag), snapshot(NOW + 250, rows(), statuses()));
        assertEquals(200, later.status());
        assertEquals("Mon, 21 Sep 2026 14:13:20 GMT", first.headers().get("Last-Modified"));
        for (String condition : List.of(
                "\"\"",
                "\"other\"",
                "W/\"other\"",
                tag.substring(0, 20),
                tag.toUpperCase(java.util.Locale.ROOT) + "x")) {
            assertEquals(200, get("/api/v1/latest", condition).status(), condition);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,2", "500,2", "501,1", "1500,1", "1501,1", "2500,1", "90000,1", "-7000,2"})
    void maxAgeReachesNextSnapshotAndIsPositive(long ageMs, int seconds) {
        for (String address : List.of("/api/v1", "/api/v1/latest", "/api/v1/venues", "/api/v1/latest?assets=BTC")) {
            SiteRequest later = Routed.request("GET", address, List.of(), List.of(), NOW + ageMs);
            String kept = responses(later, snapshot()).headers().get("Cache-Control");
            assertTrue(kept.startsWith("public, max-age=" + seconds + ", stale-while-revalidate="), kept);
        }
        assertEquals(
                "public, max-age=300, stale-if-error=600",
                get("/robots.txt").headers().get("Cache-Control"));
    }

    /**
     * Rows are marked when they are older than 180 s: the oldest unmarked one decides, less 2 s of rounding. A cache shows a list after an
     * error when it has waited 13 s for two gateways.
     */
    @ParameterizedTest
    @CsvSource({
        "0,5,160",
        "60000,5,100",
        "159000,5,1",
        "160000,5,0",
        "170000,3,0",
        "174000,0,0",
        "179000,0,0",
        "181000,5,160"
    })
    void cacheShowsListUntilFirstMark(long oldestMs, int revalidateS, int errorS) {
        Snapshot made = Snapshots.of(
                NOW,
                NOW + 5_000,
                Snapshots.rows(
                        List.of(Samples.rate("okx", "A", "A", NOW), Samples.rate("okx", "B", "B", NOW - oldestMs)),
                        NOW),
                Map.of(),
                Map.of(),
                null);
        assertEquals(
                "public, max-age=4, stale-while-revalidate=" + revalidateS + ", stale-if-error=" + errorS,
                made.cacheControl(NOW + 1_000));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip                              | gzip",
                "GZIP ; Q=0.001                    | gzip",
                "x-gzip                            | gzip",
                "*                                 | gzip",
                "identity;q=0, *                   | gzip",
                "identity;q=0.5, gzip;q=0.4        | ''",
                "gzip;q=0, *;q=1                   | ''",
                "gzip;q=1.5                        | ''",
                "gzip;q=                           | ''",
                "identity;q=0                      | ''",
                "*;q=0                             | ''",
                "compress, deflate                 | ''",
                ", ,,gzip                          | gzip",
                "''                                | ''",
            })
    void usesAcceptableCodingOrNone(String accepted, String coding) throws IOException {
        SiteResponse response = get("/api/v1/latest", accepted);
        assertEquals(200, response.status());
        assertEquals(coding, response.headers().getOrDefault("Content-Encoding", ""));
    }

    private static SiteRequest dated(SiteRequest plain, long sinceMs, String... tags) {
        return new SiteRequest(
                plain.method(), plain.path(), plain.route(), plain.query(), List.of(tags), sinceMs, List.of(), NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "0,304",
        "1000,304",
        "-1000,200",
    })
    void dateGives304AsWell(long laterMs, int status) {
        for (String address : List.of("/api/v1/latest", "/api/v1/venues")) {
            SiteRequest plain = request("GET", address);
            SiteRequest dated = dated(plain, NOW + laterMs);
            assertEquals(status, responses(dated, snapshot()).status(), address);
            SiteRequest tagged = dated(plain, NOW + laterMs, "\"other\"");
            assertEquals(200, responses(tagged, snapshot()).status(), "where there is a tag, the date does not count");
        }
    }

    /** The clock was an hour ahead and was set back: until it has caught up, each list has the time of the first of them. */
    @Test
    void comparesNoDateAfterClockSetBack() {
        long hourAheadMs = NOW + 3_600_000;
        Snapshot first = snapshot(hourAheadMs, rows(), statuses());
        SiteRequest plain = request("GET", "/api/v1/latest");
        assertTrue(responses(plain, first).headers().containsKey("Last-Modified"));
        Snapshot changed = Snapshots.of(
                hourAheadMs,
                NOW + 5_000,
                Map.of("okx", Samples.rows("okx", List.of(Samples.rate("okx", "NEW", "NEW", NOW)), NOW)),
                statuses(),
                Map.of(),
                null);
        SiteRequest dated = dated(plain, hourAheadMs);
        assertEquals(304, responses(dated, first).status());
        assertEquals(200, responses(dated, changed).status(), "other rows with the same time");
        assertNull(responses(plain, changed).headers().get("Last-Modified"));
        String tag = responses(plain, changed).headers().get("ETag");
        assertEquals(
                304, responses(request("GET", "/api/v1/latest", tag), changed).status());
    }
}
