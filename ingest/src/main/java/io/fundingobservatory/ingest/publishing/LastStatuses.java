package io.fundingobservatory.ingest.publishing;

import io.fundingobservatory.topics.KafkaAccess;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueStatus;
import java.util.Map;

/** What was last said about each venue. */
public final class LastStatuses {
    private LastStatuses() {}

    /** By venue; what cannot be read within a few seconds is left out. */
    public static Map<String, VenueStatus> read(KafkaAccess kafka) {
        return Remembered.read(kafka, Topics.VENUES_STATUS);
    }
}
