package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.pairs.AssetPairs;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Reads each pair table as it arrives and hands it on to the publisher. The store that Kafka Streams requires
 * stays empty. The tables of 220,000 pairs are 37 MB as JSON, and half of that in the form that is handed on.
 * A table that cannot be read, or belongs to another asset, is counted, and the former one stays.
 */
final class PairTableProcessor implements Processor<String, byte[], Void, Void> {
    private final Changes changes;
    private final Consumer<String> poison;

    PairTableProcessor(Changes changes, Consumer<String> poison) {
        this.changes = changes;
        this.poison = poison;
    }

    @Override
    public void process(Record<String, byte[]> record) {
        @Nullable String asset = record.key();
        byte @Nullable [] table = record.value();
        if (asset == null) {
            poison.accept(Topics.CARRY_PAIRS.name());
        } else if (table == null) {
            changes.pairsOf(asset, Optional.empty());
        } else {
            AssetPairs pairs = read(asset, table);
            if (pairs == null) {
                poison.accept(Topics.CARRY_PAIRS.name());
            } else {
                changes.pairsOf(asset, Optional.of(pairs));
            }
        }
    }

    private static @Nullable AssetPairs read(String asset, byte[] encoded) {
        try {
            CarryTable table = CarryTable.CODEC.decode(encoded);
            return table.asset().equals(asset) ? AssetPairs.of(table) : null;
        } catch (MalformedRecord | IllegalArgumentException e) {
            return null;
        }
    }
}
