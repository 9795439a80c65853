package io.fundingobservatory.ingest.fetching;

import io.fundingobservatory.ingest.reading.Venue;

/** Whoever answers in the exchanges' name: they themselves over the network, or a test. Every outcome is a value. */
@FunctionalInterface
public interface Exchanges {
    /** Makes one request and waits for its outcome; an interrupt ends the waiting. */
    Fetched fetch(Venue venue, Call call) throws InterruptedException;
}
