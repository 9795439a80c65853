package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;

/** Makes requests to exchanges; over HTTP in service, by a simulation in tests. Every outcome is a value. */
@FunctionalInterface
public interface VenueClient {
    FetchResult fetch(Venue venue, VenueRequest request) throws InterruptedException;
}
