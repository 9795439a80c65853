package io.fundingobservatory.ingest.client;

import org.jspecify.annotations.Nullable;

/** Learns what becomes of each request of one venue. Called by the thread that asks. */
@FunctionalInterface
public interface RequestListener {
    /** What became of a request. */
    enum Outcome {
        ANSWERED,
        /** The venue refused the request as too frequent. */
        THROTTLED,
        /** 403, 418 or 451. */
        BARRED,
        /** The exchange refuses this request: a status of 4xx, or an error inside a success. */
        REFUSED,
        /** No usable answer came. */
        FAILED
    }

    /**
     * A request is done.
     *
     * @param address the declared name of the request
     * @param request that name with its contract; the same as {@code address} where it has none
     * @param reason why it was not answered, one line; null when it was
     */
    void done(String address, String request, Outcome outcome, @Nullable String reason);

    /**
     * How much of a published limit is in use.
     *
     * @param pool the host or the pool that the limit counts
     * @param fraction units drawn in the window before now, as a fraction of the published units
     */
    default void used(String pool, double fraction) {}

    /** Counts nothing. */
    RequestListener NONE = (address, request, outcome, reason) -> {};
}
