package io.fundingobservatory.standalone.exchanges;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LiveProbeTest {
    @Test
    void usesLiveVenuesIfOneResponds() throws InterruptedException {
        var requested = new CopyOnWriteArrayList<String>();
        assertTrue(new LiveProbe((venue, call) -> {
                    requested.add(venue.spec().id());
                    return venue.spec().id().equals("dydx") ? received() : new FetchResult.Banned("HTTP 451", null);
                })
                .anyResponds());
        assertTrue(requested.size() >= 6, requested::toString);
        assertFalse(new LiveProbe((venue, call) -> new FetchResult.Banned("HTTP 451", null)).anyResponds());
        assertFalse(new LiveProbe(
                        (venue, call) -> {
                            new CountDownLatch(1).await(); // until it is interrupted
                            return received();
                        },
                        Duration.ofMillis(50))
                .anyResponds());
    }

    private static FetchResult received() {
        try {
            return new FetchResult.Received(JsonValue.parse("[]".getBytes(StandardCharsets.UTF_8)), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
