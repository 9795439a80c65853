package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.PublishedStatus;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;

/**
 * Full copies of {@code rates.latest}, {@code venues.status} and {@code venues.quality} in memory. The
 * publisher alone reads it, while no record is applied ({@link Changes#whileStill}).
 */
final class Tables implements TableReader, AutoCloseable {
    private final TableClient client;
    private final SharedValues shared = new SharedValues();
    private final StreamsProgress progress;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();

    Tables(KafkaAccess kafka, TableClient client) {
        this.client = client;
        this.progress = new StreamsProgress(kafka, client::positions);
    }

    @Override
    public List<EncodedRow> rowsOf(String venue) {
        ReadOnlyKeyValueStore<String, byte[]> store = client.store(
                StoreQueryParameters.fromNameAndType(TableTopology.LATEST, QueryableStoreTypes.keyValueStore()));
        try (KeyValueIterator<String, byte[]> entries = store.prefixScan(venue + '|', new StringSerializer())) {
            var rows = new ArrayList<EncodedRow>();
            while (entries.hasNext()) {
                byte[] value = entries.next().value;
                rows.add(EncodedRow.stored(shared.in(decode(Rate.CODEC, value)), value));
            }
            return rows;
        }
    }

    @Override
    public Map<String, PublishedStatus> statuses() {
        var statuses = new HashMap<String, PublishedStatus>();
        forEach(TableTopology.STATUS, (value, publishedAtMs) -> {
            VenueStatus status = decode(VenueStatus.CODEC, value);
            statuses.put(status.venue(), new PublishedStatus(status, publishedAtMs));
        });
        return statuses;
    }

    @Override
    public Map<String, VenueQuality> qualities() {
        var qualities = new HashMap<String, VenueQuality>();
        forEach(TableTopology.QUALITY, (value, publishedAtMs) -> {
            VenueQuality quality = decode(VenueQuality.CODEC, value);
            qualities.put(quality.venue(), quality);
        });
        return qualities;
    }

    private void forEach(String name, BiConsumer<byte[], Long> each) {
        ReadOnlyKeyValueStore<String, ValueAndTimestamp<byte[]>> store = client.store(
                StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.timestampedKeyValueStore()));
        try (KeyValueIterator<String, ValueAndTimestamp<byte[]>> entries = store.all()) {
            while (entries.hasNext()) {
                ValueAndTimestamp<byte[]> value = entries.next().value;
                each.accept(value.value(), value.timestamp());
            }
        }
    }

    @Override
    public Future<?> quotesProcessed() {
        return requests.submit(() -> {
            progress.awaitRowsOfAllQuotes();
            return null;
        });
    }

    @Override
    public long quotesBehind() {
        return progress.behind();
    }

    /** Reads a value that was readable when it was put into a store. */
    static <V> V decode(JsonCodec<V> codec, byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (MalformedRecord e) {
            throw new IllegalStateException("only readable values are kept", e);
        }
    }

    @Override
    public void close() {
        requests.shutdownNow();
    }
}
