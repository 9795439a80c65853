package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.fundingobservatory.gateway.traffic.StandardLimits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page and its parts have paths without a digest and are revalidated at every load. After an update a browser has all of one release,
 * and the page of one release finds its parts at a gateway of another.
 */
class PageFilesTest {
    private static final long STARTED = 1_790_000_000_000L;
    private static final String PART = "/page/page.js";

    private static Site release(String script) {
        return new Site(
                new Files(Map.of(
                        "/",
                        ("<script src=\"" + script + "\"></script>").getBytes(StandardCharsets.UTF_8),
                        PART,
                        script.getBytes(StandardCharsets.UTF_8),
                        "/openapi.yaml",
                        "openapi: 3.1.0".getBytes(StandardCharsets.UTF_8))),
                STARTED,
                StandardLimits.STANDARD,
                () -> "");
    }

    private static SiteRequest request(String path, List<String> ifNoneMatch) {
        return SiteRequest.of("GET", path, ifNoneMatch, null, List.of(), STARTED);
    }

    private static SiteResponse get(Site site, String path, List<String> ifNoneMatch) {
        SiteResponse response = Routed.response(site, request(path, ifNoneMatch), null);
        Described.check("GET", path, response);
        return response;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", PART})
    void pageAndPartsAreRevalidated(String path) {
        SiteResponse first = get(release("first()"), path, List.of());
        assertEquals("public, max-age=0, stale-if-error=600", first.headers().get("Cache-Control"));
        String tag = first.headers().get("ETag");
        SiteResponse again = get(release("first()"), path, List.of(tag));
        assertEquals(304, again.status());
        assertEquals(List.of(), Routed.pieces(again));
        SiteResponse changed = get(release("second()"), path, List.of(tag));
        assertEquals(200, changed.status());
        assertNotEquals(tag, changed.headers().get("ETag"));
    }

    @Test
    void pageAndPartsCostNothing() {
        Site site = release("first()");
        assertEquals(0, site.decide(request(PART, List.of()), null).points());
        assertEquals(0, site.decide(request("/", List.of()), null).points());
        assertEquals(0, site.decide(request("/openapi.yaml", List.of()), null).points());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "utm_source=a&utm_medium=b",
                "fbclid=IwAR",
                "gclid=x",
                "anything",
                "venues=okx",
                "a=%zz",
                "a=1&a=2",
                "="
            })
    void pageIgnoresEveryQuery(String query) {
        Site site = release("first()");
        SiteRequest request = request("/?" + query, List.of());
        assertEquals(200, Routed.response(site, request, null).status());
        assertEquals(0, site.decide(request, null).points());
        boolean carriedAlong = query.startsWith("utm_") || query.startsWith("fbclid") || query.startsWith("gclid");
        assertEquals(
                carriedAlong ? 200 : 400,
                Routed.response(site, request(PART + '?' + query, List.of()), null)
                        .status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/page/", "/page/other.js", "/page/0123456789ab/page.js"})
    void absentPartsCostOnePoint(String path) {
        Site site = release("first()");
        assertEquals(404, get(site, path, List.of()).status());
        assertEquals(1, site.decide(request(path, List.of()), null).points());
        assertEquals(
                1, site.decide(request(path, List.of()), SiteFixture.snapshot()).points());
    }

    @Test
    void pageLoadsOnlyWhatThisServiceServes() {
        Site site = release("first()");
        assertEquals(
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
                        + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
                get(site, "/", List.of()).headers().get("Content-Security-Policy"));
        assertEquals(
                "default-src 'none'; frame-ancestors 'none'",
                get(site, PART, List.of()).headers().get("Content-Security-Policy"));
    }

    @Test
    void otherFilesAreCachedForFiveMinutes() {
        assertEquals(
                "public, max-age=300, stale-if-error=600",
                get(release(""), "/openapi.yaml", List.of()).headers().get("Cache-Control"));
    }
}
