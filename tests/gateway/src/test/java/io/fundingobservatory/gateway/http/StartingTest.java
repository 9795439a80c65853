package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.gateway.traffic.Address;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Before the first snapshot. */
@MicronautTest
class StartingTest {
    @Inject
    RunningGateway gateway;

    @Inject
    FairQueue queue;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicBoolean late = new AtomicBoolean();

    private void awaitGate() {
        try {
            if (!gate.await(60, TimeUnit.SECONDS)) {
                late.set(true);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A page requests all tables at once, more than a client may have rendered. */
    @Test
    void startingIsReportedWithoutRendering() {
        for (int i = 0; i < Math.max(1, Runtime.getRuntime().availableProcessors() / 2); i++) {
            assertTrue(queue.add(new Address(4, 0, i), this::awaitGate));
        }
        for (String path : List.of("/api/v1", "/api/v1/latest", "/api/v1/latest?assets=BTC", "/api/v1/carry")) {
            assertEquals(503, gateway.get(path).statusCode(), path);
        }
        gate.countDown();
        assertFalse(late.get(), "the threads that render were busy");
    }
}
