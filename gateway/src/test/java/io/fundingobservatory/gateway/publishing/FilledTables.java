package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Tables that a test fills, a record after another. */
public final class FilledTables {
    public final Tables tables = new Tables(topic -> {});

    public void put(Rate row) {
        record(Topics.RATES_LATEST, row.key().toString(), Rate.CODEC.encode(row), row.observedAtMs());
    }

    public void put(VenueStatus status, long publishedAtMs) {
        record(Topics.VENUES_STATUS, status.venue(), VenueStatus.CODEC.encode(status), publishedAtMs);
    }

    public void put(CarryTable table) {
        record(Topics.CARRY_PAIRS, table.asset(), CarryTable.CODEC.encode(table), table.windowEndMs());
    }

    /** The row of a contract is gone. */
    public void remove(String venue, String symbol) {
        record(Topics.RATES_LATEST, venue + '|' + symbol, null, 0);
    }

    /** The pair table of an asset is gone. */
    public void remove(String asset) {
        record(Topics.CARRY_PAIRS, asset, null, 0);
    }

    /** A row that fails when a snapshot contains it. */
    @SuppressWarnings({"unchecked", "NullAway"})
    public void putBroken(Rate row) {
        ((Table<EncodedRow>) table(Topics.RATES_LATEST)).put(row.key().toString(), new EncodedRow(row, null, 0));
    }

    private void record(Topic<?> topic, String key, byte @Nullable [] value, long publishedAtMs) {
        table(topic).process(new Record<>(key, value, publishedAtMs));
    }

    private Table<?> table(Topic<?> topic) {
        return Stream.of(tables.ofRates(), tables.ofPairs())
                .flatMap(List::stream)
                .filter(table -> table.topic().equals(topic.name()))
                .findFirst()
                .orElseThrow();
    }
}
