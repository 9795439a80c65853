package io.fundingobservatory.streams.core;

import io.fundingobservatory.topics.records.Basis;

/** Counts what happens to quotes and rows. Counts are of work done: a transaction that is repeated counts again. */
public interface StreamsMetrics {
    void read();

    void accepted();

    /** A duplicate, or read earlier than what is known already. */
    void superseded();

    /** A quote of a reader whose clock is minutes behind; its reading counts as made when it arrived. */
    void readerBehind();

    /** One record for the dead letters; stage and reason are small closed vocabularies. */
    void rejected(String stage, String reason);

    /** A row that was removed because of its age. */
    void removed();

    /** One settlement for the ledger, new or better known than before. */
    void settled(Basis basis);

    /** A settlement took place and no observation gives an estimate of its rate; the venue may still publish it. */
    void missed();

    /** A settlement of an earlier listing, or older than what is kept. */
    void late();

    /** The pair table of one asset was computed again. */
    void tabled();

    /** A pair table that no topic takes. */
    void tooLarge();

    /** A partition of a store was restored from so many records of its changelog. */
    void restored(String store, long records);
}
