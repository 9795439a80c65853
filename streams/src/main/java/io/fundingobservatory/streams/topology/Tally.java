package io.fundingobservatory.streams.topology;

/** Counts what happens to quotes and rows. Counts are of work done: a transaction that is repeated counts again. */
public interface Tally {
    void read();

    void accepted();

    /** A duplicate, or read earlier than what is known already. */
    void superseded();

    /** One record for the dead letters; stage and reason are small closed vocabularies. */
    void refused(String stage, String reason);

    void stale();

    void removed();
}
