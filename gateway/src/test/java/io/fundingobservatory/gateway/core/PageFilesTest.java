package io.fundingobservatory.gateway.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.fundingobservatory.gateway.traffic.Limits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After an update a browser has the page and its scripts of one release: what it kept is compared with what is served at every load. */
class PageFilesTest {
    private static final long STARTED = 1_790_000_000_000L;

    private static Site release(String script) {
        return new Site(
                new Files(Map.of(
                        "/", "<script src=\"/page/main.js\"></script>".getBytes(StandardCharsets.UTF_8),
                        "/page/main.js", script.getBytes(StandardCharsets.UTF_8),
                        "/openapi.yaml", "openapi: 3.1.0".getBytes(StandardCharsets.UTF_8))),
                STARTED,
                Limits.STANDARD);
    }

    private static SiteResponse get(Site site, String path, List<String> ifNoneMatch) {
        return site.file(SiteRequest.of("GET", path, null, ifNoneMatch, null, List.of(), STARTED, 50), null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/page/main.js"})
    void thePageAndItsPartsAreKeptAndAskedForAgain(String path) {
        SiteResponse first = get(release("first()"), path, List.of());
        assertEquals("public, max-age=0, stale-if-error=600", first.headers().get("Cache-Control"));
        SiteResponse again =
                get(release("first()"), path, List.of(first.headers().get("ETag")));
        assertEquals(304, again.status());
        assertEquals(List.of(), again.pieces());
    }

    @Test
    void aScriptThatHasChangedIsFetchedAnew() {
        String kept =
                get(release("first()"), "/page/main.js", List.of()).headers().get("ETag");
        SiteResponse changed = get(release("second()"), "/page/main.js", List.of(kept));
        assertEquals(200, changed.status());
        assertNotEquals(kept, changed.headers().get("ETag"));
    }

    @Test
    void whatIsNoPartOfThePageIsKeptForFiveMinutes() {
        assertEquals(
                "public, max-age=300, stale-if-error=600",
                get(release(""), "/openapi.yaml", List.of()).headers().get("Cache-Control"));
    }
}
