package io.fundingobservatory.ingest.publishing;

import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueStatus;
import java.util.Map;

/** What was last said about each venue. */
public final class LastStatuses {
    private LastStatuses() {}

    /** By venue; what cannot be read within a few seconds is left out. */
    public static Map<String, VenueStatus> read(String bootstrapServers) {
        return Remembered.read(bootstrapServers, Topics.VENUES_STATUS);
    }
}
