package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything in one process over recorded bodies. */
class ReplayTest {
    @TempDir
    private Path folder;

    @Test
    void recordedBodiesAreServedAsRecorded() throws Exception {
        Path venue = Files.createDirectories(folder.resolve("recorded/dydx"));
        Files.writeString(venue.resolve("perpetualMarkets.json"), """
                {"markets":{"BTC-USD":{"ticker":"BTC-USD","status":"ACTIVE","oraclePrice":"64000.5","nextFundingRate":"0.0000125"},
                            "OLD-USD":{"ticker":"OLD-USD","status":"FINAL_SETTLEMENT","oraclePrice":"1","nextFundingRate":"0.5"}}}
                """);
        int http = Http.freePort();
        var ports = new Installation.Ports(
                new Port(http, "--http-port"),
                new Port(Http.freePort(), "--management-port"),
                new Port(Http.freePort(), "--kafka-port"));
        var recorded = new SourceOption.Replay(folder.resolve("recorded"));
        try (Installation installation =
                Installation.start(recorded, DataDirectory.take(folder.resolve("data"), recorded), ports, 1)) {
            JsonNode list = Http.await(http, "/api/v1/latest", Duration.ofSeconds(60), json -> true);
            assertEquals("replay", list.at("/meta/source").asText());
            assertEquals(1, list.get("rows").size());
            assertEquals(
                    "0.0001", list.at("/rows/0/funding_rate_8h").decimalValue().toPlainString());
            assertEquals("BTC", list.at("/rows/0/asset").asText());
            assertFalse(list.at("/meta/missing/venues").isEmpty());
            assertTrue(installation.simulated() == null);
        }
    }
}
