package io.fundingobservatory.ingest;

import static java.util.stream.Collectors.groupingBy;

import io.fundingobservatory.runtime.CompactedTopic;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/**
 * What earlier processes left.
 *
 * @param statuses the last status of each venue
 * @param progress how far settled history has been read, by venue
 */
record EarlierState(Map<String, VenueStatus> statuses, Map<String, List<HistoryProgress>> progress) {
    static final EarlierState NONE = new EarlierState(Map.of(), Map.of());

    /**
     * Reads the compacted topics.
     *
     * @throws KafkaException when not all of it can be read
     */
    static EarlierState read(KafkaAccess kafka) {
        return new EarlierState(
                CompactedTopic.read(kafka, Topics.VENUES_STATUS),
                CompactedTopic.read(kafka, Topics.INGEST_PROGRESS).values().stream()
                        .collect(groupingBy(HistoryProgress::venue)));
    }
}
