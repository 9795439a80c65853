package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.site.Priced;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.testbed.Await;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecentResponsesTest {
    private static final long NOW = 1_790_000_000_000L;

    private final RecentResponses recent = new RecentResponses();

    private static Priced.Prepared prepared() {
        return new Priced.Prepared(Content.of(Content.JSON, "{}".getBytes(StandardCharsets.US_ASCII)), null, false);
    }

    private void keep(Priced.Prepared prepared) {
        recent.keep(
                prepared,
                new SiteResponse(
                        200, Map.of("ETag", "\"1\""), prepared.content().body(null)),
                "Mon, 21 Sep 2026 14:13:20 GMT",
                NOW);
    }

    @Test
    void keepsFieldsForTheSecond() {
        Priced.Prepared one = prepared();
        keep(one);
        RecentResponses.Recent kept = recent.of(one, NOW + 999);
        assertNotNull(kept);
        assertEquals("\"1\"", kept.response(false).getHeaders().get("ETag"));
        assertNull(recent.of(one, NOW + 1_000), "the next second has another date");
        assertNull(recent.of(prepared(), NOW), "another list has another tag");
    }

    /** Six lists of 25,000 rows would take 60 MB. */
    @Test
    void keepsNoContent() {
        var content = new WeakReference<>(servedOnce());
        Await.until("a list that is served no more is gone", () -> {
            System.gc();
            return content.refersTo(null);
        });
    }

    private Content servedOnce() {
        Priced.Prepared once = prepared();
        keep(once);
        return once.content();
    }
}
