package io.fundingobservatory.ingest.polling;

/** Learns of each poll of one venue. Called by the thread that polls. */
@FunctionalInterface
public interface PollListener {
    void polled(PollReport report);

    /**
     * Something threw that must not: a bug of ours. The polling of the venue goes on.
     *
     * @param step what was being done: {@code ask}, {@code poll}, {@code learn}, {@code history} or {@code publish}
     */
    default void broke(String step, RuntimeException bug) {}
}
