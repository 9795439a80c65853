package io.fundingobservatory.standalone.exchanges;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.answers.Node;
import io.fundingobservatory.ingest.fetching.Fetched;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LiveProbeTest {
    @Test
    void liveIsDecidedByWhetherAnExchangeAnswers() throws InterruptedException {
        var asked = new CopyOnWriteArrayList<String>();
        assertTrue(new LiveProbe((venue, call) -> {
                    asked.add(venue.header().id());
                    return venue.header().id().equals("dydx") ? answered() : new Fetched.Barred("HTTP 451", null);
                })
                .anyAnswers());
        assertTrue(asked.size() >= 6, asked::toString);
        assertFalse(new LiveProbe((venue, call) -> new Fetched.Barred("HTTP 451", null)).anyAnswers());
        assertFalse(new LiveProbe(
                        (venue, call) -> {
                            new CountDownLatch(1).await(); // until it is interrupted
                            return answered();
                        },
                        Duration.ofMillis(50))
                .anyAnswers());
    }

    private static Fetched answered() {
        try {
            return new Fetched.Answered(Node.parse("[]".getBytes(StandardCharsets.UTF_8)), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
