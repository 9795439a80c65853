package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.poll.guards.Guards;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.records.Source;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedResponsesTest {
    private final Venue binance = Registry.find("binance");
    private final VirtualTime time = new VirtualTime(Duration.ofHours(1));

    private PollReport poll(Path directory) {
        PollResponses polled = new RecordedResponses(binance, directory, time).poll(Duration.ZERO);
        return new GuardedReader(binance, Source.REPLAY, new Guards(), null)
                .read(polled, new SettlementGaps(), time.nowMs(), Duration.ZERO);
    }

    @Test
    void recordedBodiesAreReadAsIfJustGiven() throws URISyntaxException {
        Path directory =
                Path.of(getClass().getResource("/venues/binance").toURI()).getParent();
        PollReport report = poll(directory);
        assertEquals(Outcome.OK, report.outcome());
        assertFalse(report.quotes().isEmpty());
        assertTrue(report.quotes().stream().allMatch(q -> q.observedAtMs() == time.nowMs()));
        assertEquals(Source.REPLAY, report.status().source());
    }

    @Test
    void reportsMissingRecordings(@TempDir Path directory) throws IOException {
        assertEquals("nothing is recorded of it", poll(directory).status().reason());
        Files.createDirectory(directory.resolve("binance"));
        PollReport report = poll(directory);
        assertEquals(Outcome.FAILED, report.outcome());
        assertEquals(
                "fapi_premiumIndex: not recorded; dapi_premiumIndex: not recorded",
                report.status().reason());
    }
}
