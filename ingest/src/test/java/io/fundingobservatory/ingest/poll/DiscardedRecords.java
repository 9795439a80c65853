package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Takes every record and keeps none; tests override what they look at. */
public class DiscardedRecords extends Publisher {
    public DiscardedRecords() {
        super(
                new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()),
                InstantSource.system(),
                IngestEvents.NONE,
                reason -> {});
    }

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
