package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.client.RateLimitedClient.Admission;
import io.fundingobservatory.ingest.client.VenueRequest;
import java.time.Duration;

/** Requests settled rates within the part of each allowance that is for history. */
@FunctionalInterface
public interface HistorySource {
    /**
     * One request.
     *
     * @param endpoint the declared name of the request
     * @param mayWait how long it may wait for its pools
     */
    Admission history(VenueRequest request, String endpoint, Duration mayWait) throws InterruptedException;
}
