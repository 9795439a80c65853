package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.poll.guards.CommonFactorGuard;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.records.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedResponsesTest {
    private final VirtualTime time = new VirtualTime(Duration.ofHours(1));

    private PollReport poll(String id, Path directory) {
        Venue venue = Registry.find(id);
        PollResponses polled = new RecordedResponses(venue, directory, time).poll(Duration.ZERO);
        return new GuardedReader(
                        venue, Source.REPLAY, new VenueGuards(venue.spec().id(), new CommonFactorGuard(), false), null)
                .read(polled, new SettlementGaps(), time.nowMs(), Duration.ZERO);
    }

    /** A second instance of a wire has a folder of its own. */
    @ParameterizedTest
    @CsvSource({"binance, binance", "ondo, ondo", "lighter, lighter_rh"})
    void recordedBodiesAreReadAsIfJustGiven(String bodies, String id, @TempDir Path directory) throws Exception {
        Path recorded = Path.of(getClass().getResource("/venues/" + bodies).toURI());
        Files.createDirectory(directory.resolve(id));
        try (var files = Files.list(recorded)) {
            for (Path file : files.toList()) {
                Files.copy(file, directory.resolve(id).resolve(file.getFileName()));
            }
        }
        PollReport report = poll(id, directory);
        assertEquals(Outcome.OK, report.outcome());
        assertFalse(report.quotes().isEmpty());
        assertTrue(report.quotes().stream().allMatch(q -> q.observedAtMs() == time.nowMs()));
        assertEquals(Source.REPLAY, report.status().source());
    }

    @Test
    void reportsMissingRecordings(@TempDir Path directory) throws IOException {
        assertEquals(
                "nothing is recorded of it", poll("binance", directory).status().reason());
        Files.createDirectory(directory.resolve("binance"));
        PollReport report = poll("binance", directory);
        assertEquals(Outcome.FAILED, report.outcome());
        assertEquals(
                "fapi_premiumIndex: not recorded; dapi_premiumIndex: not recorded",
                report.status().reason());
    }
}
