package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.backfill.HistoryBackfill;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.poll.guards.CommonFactorGuard;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A poller of a simulated venue with guards of its own. */
public final class SimulatedPoller {
    private SimulatedPoller() {}

    public static VenuePoller of(
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
