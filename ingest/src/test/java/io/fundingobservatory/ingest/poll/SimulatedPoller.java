package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.HistoryBackfill;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.poll.guards.CommonFactorGuard;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A poller of a simulated venue with guards of its own. */
public final class SimulatedPoller {
    private SimulatedPoller() {}

    /** Polls every minute until the time of the one thread ends, with the settled history that the venue declares. */
    public static void run(
            Venue venue,
            VenueClient client,
            VirtualTime time,
            List<HistoryProgress> before,
            Publisher output,
            IngestEvents events) {
        var responses = new VenueFetcher(venue, client, time, new Random(1), events);
        HistoryBackfill history = venue.spec().history() == null
                ? null
                : new HistoryBackfill(venue, responses, time, new Random(2), before, output, events);
        of(venue, responses, time, Duration.ofMinutes(1), new Random(3), null, history, output, events)
                .run();
        assertTrue(Thread.interrupted(), "a poller ends by an interrupt only");
    }

    static VenuePoller of(
            Venue venue,
            ResponseSource responses,
            Time time,
            Duration interval,
            Random random,
            @Nullable VenueStatus before,
            @Nullable HistoryBackfill history,
            Publisher output,
            IngestEvents events) {
        var guards = new VenueGuards(venue.spec().id(), new CommonFactorGuard(), false);
        return new VenuePoller(
                venue, Source.SIMULATED, guards, responses, time, interval, random, before, history, output, events);
    }
}
