package io.fundingobservatory.gateway.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.testbed.Checkout;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SnapshotTest {
    private static final int MB = 1 << 20;

    private static Snapshot snapshot(long nowMs) {
        var okx = Samples.rows("okx", List.of(Samples.rate("okx", "A", "A", nowMs)), nowMs);
        return Snapshots.of(nowMs, nowMs + 5_000, Map.of("okx", okx), Map.of(), Map.of(), null);
    }

    /** A request that was waiting for its turn is rendered of the snapshot that it was priced with. */
    @Test
    void retiredSnapshotKeepsNoBuffers() {
        Snapshot former = snapshot(1_790_000_000_000L);
        former.retire(snapshot(1_790_000_005_000L));
        Content late = former.latest(Scope.DEFAULT, RowForm.COLUMNS);
        Stream.concat(late.identity().stream(), late.gzip().stream()).forEach(segment -> {
            ByteBuf sent = segment.buffer();
            sent.release();
            assertEquals(0, sent.refCnt(), "released with the last response that has it");
        });
    }

    /** nginx tries a second gateway until one time is over, and that one may connect and be silent to the end of the two others. */
    @Test
    void proxyWaitsNoLongerThanCachesAllow() throws IOException {
        String shipped = Files.readString(Checkout.ROOT.resolve("deploy/nginx/gateway.conf"));
        long seconds = Stream.of("proxy_next_upstream_timeout", "proxy_connect_timeout", "proxy_read_timeout")
                .mapToLong(name -> Long.parseLong(Pattern.compile("\\s" + name + " (\\d+)s;")
                        .matcher(shipped)
                        .results()
                        .findFirst()
                        .orElseThrow()
                        .group(1)))
                .sum();
        assertEquals(Snapshot.SILENCE_S, seconds);
    }

    private static Content content(int bytes) {
        return new Content(Content.JSON, "tag", List.of(Segment.of(new byte[bytes])), List.of());
    }

    /** Large responses of one client must not keep those out that everybody requests. */
    @Test
    void whatIsRequestedOftenStays() {
        Snapshot contents = snapshot(0);
        contents.keep("/api/v1", content(1_000));
        for (int i = 0; i < 40; i++) {
            contents.keep("response " + i, content(MB));
            assertNotNull(contents.prepared("/api/v1"), "after response " + i);
        }
        assertNotNull(contents.prepared("response 39"));
        assertNull(contents.prepared("response 35"), "4 MB");
        contents.keep("response", content(5 * MB));
        assertNull(contents.prepared("response"), "too large");
        assertNotNull(contents.prepared("/api/v1"));
    }

    @Test
    void keepsTwoHundredFiftySixResponses() {
        Snapshot contents = snapshot(0);
        for (int i = 0; i < 300; i++) {
            contents.keep("response " + i, content(1));
        }
        assertNull(contents.prepared("response 43"));
        assertNotNull(contents.prepared("response 44"));
    }
}
