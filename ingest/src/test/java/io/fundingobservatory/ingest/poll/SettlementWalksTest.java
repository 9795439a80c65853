package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.HistoryBackfill;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.client.VirtualVenue;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.RecordedWalks;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchange;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.records.SettledRate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A settlement that comes with those of others, which takes an hour of a clock: the walk of the page is that of the classes. */
class SettlementWalksTest {
    private static final long BEFORE_SETTLEMENT_MS =
            Instant.parse("2026-09-21T15:00:00Z").toEpochMilli();

    @Test
    void bulkPollGoesTheWayOfThePage() throws Exception {
        Wire wire = Wires.of("binance");
        var time = new VirtualTime(Duration.ofMinutes(75), BEFORE_SETTLEMENT_MS);
        var simulated = new VirtualVenue(
                new SimulatedExchange(wire, new SimulatedMarket(3, List.of(wire), 3), Realism.LENIENT), time);
        var venue = Registry.find("binance");
        var responses = new VenueFetcher(venue, simulated, time, new Random(1), IngestEvents.NONE);
        var settled = new ArrayList<SettledRate>();
        var output = new DiscardedRecords() {
            @Override
            public boolean publishSettled(List<SettledRate> rates) {
                return settled.addAll(rates);
            }
        };
        var history = new HistoryBackfill(venue, responses, time, new Random(2), List.of(), output, IngestEvents.NONE);
        try (var walks = RecordedWalks.start("A settlement, from a bulk poll")) {
            SimulatedPoller.of(
                            venue,
                            responses,
                            time,
                            Duration.ofMinutes(1),
                            new Random(3),
                            null,
                            history,
                            output,
                            IngestEvents.NONE)
                    .run();
            assertTrue(Thread.interrupted(), "a poller ends by an interrupt only");
            assertEquals(List.of(), walks.problems());
        }
        assertTrue(
                settled.stream().anyMatch(rate -> rate.settledMs() >= BEFORE_SETTLEMENT_MS),
                settled.size() + " settled");
    }
}
