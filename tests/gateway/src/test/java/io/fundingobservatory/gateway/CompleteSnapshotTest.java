package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.topics.ListedVenue;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Brokers and exchanges are away for a quarter of an hour: the last list is served, and the process that serves it is ready. */
@MicronautTest
@Property(name = FixedSnapshots.ROWS, value = "2")
class CompleteSnapshotTest {
    @Inject
    RunningGateway gateway;

    @Inject
    FixedSnapshots snapshots;

    @Test
    void oldSnapshotIsReadyAndReportsAge() throws Exception {
        snapshots.asOf(System.currentTimeMillis() - TimeUnit.MINUTES.toMillis(15));
        assertEquals(200, gateway.managed("/health/readiness"));
        assertEquals(200, gateway.managed("/health"));
        JsonNode details = new ObjectMapper()
                .readTree(gateway.managedBody("/health/readiness"))
                .at("/details/gateway-snapshot/details");
        assertTrue(details.path("age_ms").asLong() >= 900_000, details.toString());
        assertEquals(96, details.path("rows").asInt());
        assertEquals(ListedVenue.ALL.size(), details.path("coverage").asInt());
        assertEquals(200, gateway.get("/api/v1/latest").statusCode());
    }
}
