package io.fundingobservatory.ingest.fetching;

import io.fundingobservatory.ingest.reading.Venue;

/** Makes requests to exchanges; over HTTP in service, by a simulation in tests. Every outcome is a value. */
@FunctionalInterface
public interface ExchangeClient {
    /** Makes one request and waits for its outcome; an interrupt ends the waiting. */
    Fetched fetch(Venue venue, Call call) throws InterruptedException;
}
