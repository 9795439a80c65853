package io.fundingobservatory.ingest.publishing;

import static java.util.stream.Collectors.groupingBy;

import io.fundingobservatory.topics.HistoryProgress;
import io.fundingobservatory.topics.KafkaAccess;
import io.fundingobservatory.topics.Topics;
import java.util.List;
import java.util.Map;

/** How far the settled history of each contract was last read. */
public final class LastProgress {
    private LastProgress() {}

    /** By venue; what cannot be read within a few seconds is left out, and its history is read once more. */
    public static Map<String, List<HistoryProgress>> read(KafkaAccess kafka) {
        return Remembered.read(kafka, Topics.INGEST_PROGRESS).values().stream()
                .collect(groupingBy(HistoryProgress::venue));
    }
}
