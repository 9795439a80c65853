package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.traffic.Limits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After an update a browser has the page and its parts of one release. The page is compared at every load and
 * names its parts by a digest.
 */
class PageFilesTest {
    private static final long STARTED = 1_790_000_000_000L;
    private static final String PART = "/page/0123456789ab/main.js";

    private static Site release(String script) {
        return new Site(
                new Files(Map.of(
                        "/",
                        ("<script src=\"" + script + "\"></script>").getBytes(StandardCharsets.UTF_8),
                        PART,
                        script.getBytes(StandardCharsets.UTF_8),
                        "/page/0123456789ab/worker.js",
                        script.getBytes(StandardCharsets.UTF_8),
                        "/openapi.yaml",
                        "openapi: 3.1.0".getBytes(StandardCharsets.UTF_8))),
                STARTED,
                Limits.STANDARD,
                () -> "");
    }

    private static SiteRequest request(String path, List<String> ifNoneMatch) {
        return SiteRequest.of("GET", path, null, ifNoneMatch, null, List.of(), STARTED, 50);
    }

    private static SiteResponse get(Site site, String path, List<String> ifNoneMatch) {
        SiteResponse response = site.response(request(path, ifNoneMatch), null);
        Described.check("GET", path, response);
        return response;
    }

    @Test
    void pageIsCachedAndRevalidated() {
        SiteResponse first = get(release("first()"), "/", List.of());
        assertEquals("public, max-age=0, stale-if-error=600", first.headers().get("Cache-Control"));
        String tag = first.headers().get("ETag");
        SiteResponse again = get(release("first()"), "/", List.of(tag));
        assertEquals(304, again.status());
        assertEquals(List.of(), Routed.pieces(again));
        SiteResponse changed = get(release("second()"), "/", List.of(tag));
        assertEquals(200, changed.status());
        assertNotEquals(tag, changed.headers().get("ETag"));
    }

    @Test
    void partsAreCachedForYearAndCostLittle() {
        Site site = release("first()");
        assertEquals(
                "public, max-age=31536000, stale-if-error=600",
                get(site, PART, List.of()).headers().get("Cache-Control"));
        assertEquals(0.05, site.price(request(PART, List.of()), null).cost().points());
        assertEquals(1, site.price(request("/", List.of()), null).cost().points());
        assertEquals(
                1, site.price(request("/openapi.yaml", List.of()), null).cost().points());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/page/", "/page/0123456789ab/other.js", "/page/ffffffffffff/main.js"})
    void absentPartsCostOnePoint(String path) {
        Site site = release("first()");
        assertEquals(404, get(site, path, List.of()).status());
        assertEquals(1, site.price(request(path, List.of()), null).cost().points());
        assertEquals(
                1,
                site.price(request(path, List.of()), SiteFixture.snapshot())
                        .cost()
                        .points());
    }

    @Test
    void theWorkerAloneLoadsScripts() {
        Site site = release("first()");
        assertEquals(
                "default-src 'none'; frame-ancestors 'none'",
                get(site, PART, List.of()).headers().get("Content-Security-Policy"));
        assertEquals(
                "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
                get(site, "/page/0123456789ab/worker.js", List.of()).headers().get("Content-Security-Policy"));
    }

    @Test
    void aDigestNamesTheContentsAndTheirOrder() {
        byte[] a = {1};
        byte[] b = {2};
        assertEquals(Files.digest(List.of(a, b)), Files.digest(List.of(a.clone(), b.clone())));
        assertNotEquals(Files.digest(List.of(a, b)), Files.digest(List.of(b, a)));
        assertEquals(12, Files.digest(List.of()).length());
    }

    @Test
    void otherFilesAreCachedForFiveMinutes() {
        assertEquals(
                "public, max-age=300, stale-if-error=600",
                get(release(""), "/openapi.yaml", List.of()).headers().get("Cache-Control"));
    }
}
