package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.client.RateLimitedClient.Admission;
import io.fundingobservatory.ingest.client.VenueRequest;
import java.time.Duration;

/** Requests settled rates within the part of each allowance that is for history. */
@FunctionalInterface
public interface HistorySource {
    /** Sends one request, whose declared name is {@code endpoint}, when its pools allow it within the time. */
    Admission history(VenueRequest request, String endpoint, Duration mayWait) throws InterruptedException;
}
