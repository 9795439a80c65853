package io.fundingobservatory.ingest.poll;

/** Learns of each poll of one venue. Called by the thread that polls. */
@FunctionalInterface
public interface PollListener {
    /** A poll has ended; returns whether its rates are on their way. Those that are not count as missing. */
    boolean polled(PollReport report);

    /**
     * An unexpected exception was thrown: an internal error. The polling of the venue goes on.
     *
     * @param step the step that failed: {@code ask}, {@code poll}, {@code learn}, {@code history} or {@code
     *     publish}
     */
    default void broke(String step, RuntimeException bug) {}
}
