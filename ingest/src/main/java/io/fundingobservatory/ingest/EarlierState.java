package io.fundingobservatory.ingest;

import static java.util.stream.Collectors.groupingBy;

import io.fundingobservatory.runtime.CompactedTopic;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * What earlier processes left.
 *
 * @param statuses the last status of each venue
 * @param progress how far settled history has been read, by venue
 */
record EarlierState(Map<String, VenueStatus> statuses, Map<String, List<HistoryProgress>> progress) {
    static final EarlierState NONE = new EarlierState(Map.of(), Map.of());

    /**
     * Reads the compacted topics. When they cannot be read, the brokers are checked as at the start. A deleted
     * topic is then there for the next reading, or the message names it.
     *
     * @throws KafkaException when not all of it can be read
     * @throws BrokerReadiness.StartRefused when waiting does not help
     */
    static EarlierState read(KafkaAccess kafka, BrokerReadiness brokers, Source ours) {
        try {
            return new EarlierState(
                    CompactedTopic.read(kafka, Topics.VENUES_STATUS),
                    CompactedTopic.read(kafka, Topics.INGEST_PROGRESS).values().stream()
                            .collect(groupingBy(HistoryProgress::venue)));
        } catch (KafkaException e) {
            String waitingFor = waitingFor(brokers, ours);
            throw waitingFor == null ? e : new KafkaException(waitingFor, e);
        }
    }

    private static @Nullable String waitingFor(BrokerReadiness brokers, Source ours) {
        try {
            return brokers.waitingFor(ours);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
