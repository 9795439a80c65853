package io.fundingobservatory.streams.core;

import io.fundingobservatory.topics.records.Basis;

/** Counts what happens to quotes and rows. Counts are of work done: a transaction that is repeated counts again. */
public interface StreamsMetrics {
    /** What is counted without a label. */
    enum Count {
        READ("quotes.read", "Records taken from quotes.raw"),
        ACCEPTED("quotes.accepted", "Quotes that became the newest of their contract"),
        SUPERSEDED("quotes.superseded", "Duplicates and quotes older than what was known"),
        REMOVED("rows.removed", "Rows removed because of their age"),
        /** The venue may still publish them. */
        MISSED("settlements.missed", "Settlements that passed without an estimate"),
        LATE("settlements.late", "Settlements of an earlier listing, or older than what is kept"),
        TABLED("tables.made", "Pair tables that were computed again"),
        TOO_LARGE("tables.too.large", "Pair tables that no topic takes");

        /** The name of its meter below {@code observatory.streams}. */
        public final String meter;

        public final String description;

        Count(String meter, String description) {
            this.meter = meter;
            this.description = description;
        }
    }

    void count(Count what);

    /** One record for the dead letters; stage and reason are small closed vocabularies. */
    void rejected(String stage, String reason);

    /** One settlement for the ledger, new or better known than before. */
    void settled(Basis basis);

    /** A partition of a store was restored from so many records of its changelog. */
    void restored(String store, long records);
}
