package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.publish.RecordOutput;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.List;

/** Takes every record and keeps none; tests override what they look at. */
public class DiscardedRecords implements RecordOutput {
    @Override
    public boolean publish(List<Quote> quotes, VenueStatus status) {
        return true;
    }

    @Override
    public boolean publishSettled(List<SettledRate> settled) {
        return true;
    }

    @Override
    public void publishProgress(HistoryProgress progress) {}
}
