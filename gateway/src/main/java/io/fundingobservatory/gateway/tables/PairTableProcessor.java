package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.Topics;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Hands each pair table on to the publisher, which reads it once and keeps it in a form of its own. The store that Kafka Streams wants
 * beside it stays empty: the tables of 220,000 pairs are 37 MB as JSON.
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
        } else {
            changes.pairsOf(asset, Optional.ofNullable(table));
        }
    }
}
