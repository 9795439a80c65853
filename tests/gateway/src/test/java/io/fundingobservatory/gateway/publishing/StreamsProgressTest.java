package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.publishing.StreamsProgress.Known;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the gateway knows of streams' progress while a transaction of streams is open, as after a SIGKILL. */
class StreamsProgressTest {
    private static final TopicPartition QUOTES = new TopicPartition(Topics.QUOTES_RAW.name(), 2);
    private static final TopicPartition ROWS = new TopicPartition(Topics.RATES_LATEST.name(), 3);
    private static final long NOW = 1_790_000_000_000L;

    private static StreamsProgress progress(KafkaFixture kafka, Map<TopicPartition, Long> positions) {
        return new StreamsProgress(
                KafkaAccess.at(kafka.bootstrapServers()), () -> positions, () -> Instant.ofEpochMilli(NOW));
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void openTransactionHoldsNobodyUp() throws Exception {
        try (var kafka = KafkaFixture.start();
                var producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "hangs"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                var waiting = progress(kafka, Map.of());
                var arrived = progress(kafka, Map.of(ROWS, 1L))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(ROWS.topic(), ROWS.partition(), new byte[1], new byte[1]))
                    .get();
            for (int look = 0; look < 3; look++) {
                assertEquals(new Known(Long.MIN_VALUE, 0, false), waiting.get(), "rows are on their way");
            }
            assertEquals(new Known(NOW, 0, false), arrived.get());

            // Offsets of the open transaction are not committed: streams is behind by one quote, and Kafka reports it.
            try (var quotes = new KafkaProducer<>(
                    Map.of("bootstrap.servers", kafka.bootstrapServers()),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                quotes.send(new ProducerRecord<>(QUOTES.topic(), QUOTES.partition(), new byte[1], new byte[1]))
                        .get();
            }
            try (var streams = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", Topics.STREAMS_GROUP),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer())) {
                producer.sendOffsetsToTransaction(Map.of(QUOTES, new OffsetAndMetadata(1)), streams.groupMetadata());
            }
            assertEquals(new Known(NOW, 1, false), arrived.get());
            producer.commitTransaction();
            Await.until("the quote is processed", () -> arrived.get().equals(new Known(NOW, 0, false)));
        }
    }
}
