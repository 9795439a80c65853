package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** An exchange: its data sheet, and how its responses are read. Implementations hold no state and do nothing but read. */
public interface Venue {
    VenueSpec spec();

    /**
     * Reads the available responses into rows. A request that failed has no bodies; rows that depend on it
     * are skipped, and single values are null.
     */
    void read(VenueResponses responses, Rows rows);

    /** The exchange's own error inside a body that arrived as a success; null when it is a response. */
    default @Nullable VenueError error(JsonValue body) {
        return null;
    }

    /** Whether a body with the status of a refusal says that there is no data; it is then a response without rows. */
    default boolean isEmpty(JsonValue body) {
        return false;
    }

    /** Makes settlements of one response of the declared history. */
    default void readHistory(JsonValue body, Settlements settlements) {
        throw new UnsupportedOperationException(spec().id() + " declares no history");
    }
}
