package io.fundingobservatory.ingest.reading;

import io.fundingobservatory.ingest.answers.Answers;
import io.fundingobservatory.ingest.answers.Node;
import io.fundingobservatory.ingest.answers.Refusal;
import io.fundingobservatory.ingest.header.Header;
import org.jspecify.annotations.Nullable;

/** An exchange: its data sheet, and how its answers are read. Implementations hold no state and do nothing but read. */
public interface Venue {
    Header header();

    /**
     * Reads the available responses into rows. A request that failed has no bodies; rows that depend on it
     * are skipped, and single values are null.
     */
    void read(Answers answers, Rows rows);

    /** The exchange's own error inside a body that arrived as a success; null when it is an answer. */
    default @Nullable Refusal refusal(Node body) {
        return null;
    }

    /** Makes settlements of one answer of the declared history. */
    default void readHistory(Node body, Settlements settlements) {
        throw new UnsupportedOperationException(header().id() + " declares no history");
    }
}
