package io.fundingobservatory.ingest.publish;

import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.List;

/** Takes what was read of venues. {@link Publisher} writes it to Kafka. */
public interface RecordOutput {
    /** Writes a status, waits for its acknowledgement, and hands the quotes over. Returns whether they are on their way; false when they were dropped. */
    boolean publish(List<Quote> quotes, VenueStatus status);

    /** Hands settlements over and waits a few seconds. Returns whether all of them have been acknowledged. */
    boolean publishSettled(List<SettledRate> settled);

    /** Writes how far a contract's history has been read. A lost record costs one further reading. */
    void publishProgress(HistoryProgress progress);
}
