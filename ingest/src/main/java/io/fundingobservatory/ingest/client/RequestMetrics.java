package io.fundingobservatory.ingest.client;

import java.time.Duration;

/** Learns of every request over HTTP. Called by the thread that asks. */
@FunctionalInterface
public interface RequestMetrics {
    /**
     * Records a finished request.
     *
     * @param host the host that the request went to
     * @param status the HTTP status; 0 when no whole response came
     * @param bytes the body as it was sent
     * @param took from the look-up of the name to the last byte
     */
    void done(String host, int status, long bytes, Duration took);

    /** Counts nothing. */
    RequestMetrics NONE = (host, status, bytes, took) -> {};
}
