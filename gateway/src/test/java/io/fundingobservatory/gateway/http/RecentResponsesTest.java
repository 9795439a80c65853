package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.testbed.Await;
import io.micronaut.http.HttpResponse;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.util.AsciiString;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecentResponsesTest {
    private static final long NOW = 1_790_000_000_000L;

    private final RecentResponses recent = new RecentResponses();
    private int made;

    private static Snapshot snapshot(long atMs) {
        return Snapshots.of(atMs, atMs + 5_000, Map.of(), Map.of(), Map.of(), null);
    }

    private RecentResponses.Recent response(Object key, @Nullable Snapshot snapshot, long nowMs) {
        return recent.of(key, snapshot, nowMs, () -> {
            made++;
            return new SiteResponse(429, Map.of("Retry-After", "3"), List.of(Segment.of(new byte[] {'{', '}'})));
        });
    }

    private static HttpResponse<PreparedBody> response(RecentResponses.Recent kept, @Nullable AsciiString connection) {
        return kept.response(connection);
    }

    @Test
    void keepsEqualResponsesForTheSecond() {
        Snapshot one = snapshot(NOW);
        RecentResponses.Recent first = response("refusal", one, NOW);
        assertSame(first, response("refusal", one, NOW + 999));
        assertEquals("3", response(first, null).getHeaders().get("Retry-After"));
        assertEquals(SiteResponse.date(NOW), response(first, null).getHeaders().get("Date"));
        assertEquals(
                "keep-alive",
                response(first, HttpHeaderValues.KEEP_ALIVE).getHeaders().get("Connection"));
        assertEquals(1, made);
        response("another", one, NOW);
        response("refusal", one, NOW + 1_000);
        response("refusal", snapshot(NOW + 1_000), NOW + 1_000);
        response("refusal", null, NOW + 1_000);
        assertEquals(5, made, "for another key, second, snapshot, and without one");
    }

    /** A client chooses what a refusal names: it must not fill the memory. */
    @Test
    void keepsFewResponsesOfSecond() {
        for (int i = 0; i < 100; i++) {
            response(i, null, NOW);
        }
        response(0, null, NOW);
        assertEquals(100, made, "the first is kept");
        response(99, null, NOW);
        assertEquals(101, made, "the last is not");
    }

    /** Six lists of 25,000 rows would take 60 MB. */
    @Test
    void keepsNoSnapshot() {
        var served = new WeakReference<>(servedOnce());
        Await.until("a snapshot that is served no more is gone", () -> {
            System.gc();
            return served.refersTo(null);
        });
    }

    private Snapshot servedOnce() {
        Snapshot once = snapshot(NOW);
        response("list", once, NOW);
        return once;
    }
}
