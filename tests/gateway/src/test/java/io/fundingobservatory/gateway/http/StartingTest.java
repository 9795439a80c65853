package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.site.UnitsWalk;
import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.gateway.traffic.Address;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Before the first snapshot. */
class StartingTest {
    private final RunningGateway gateway = RunningGateway.starting();

    private final FairQueue queue = gateway.bean(FairQueue.class);

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

    @Test
    void processIsAliveAndNotReady() {
        HttpResponse<byte[]> response = gateway.get("/api/v1/latest");
        assertEquals(503, response.statusCode());
        assertEquals("5", Responses.header(response, "Retry-After"));
        JsonNode body = Responses.json(response);
        assertEquals("starting", body.path("status").asText());
        UnitsWalk.check(body);
        assertEquals(503, gateway.managed("/health/readiness"));
        assertEquals(200, gateway.managed("/health/liveness"));
        assertEquals(200, gateway.get("/robots.txt").statusCode());
    }
}
