package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Quote;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A topic that is deleted while the service runs. */
class MissingTopicsTest {
    @TempDir
    Path state;

    private static boolean within(Duration time, BooleanSupplier condition) {
        long end = System.nanoTime() + time.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return true;
    }

    /** One that is read, and one that is only written: a send to that one fails after Kafka's own time-out of a minute. */
    @ParameterizedTest
    @ValueSource(strings = {"quotes.raw", "rates.latest"})
    void deletedTopicEndsProcessWithOneLine(String topic) throws Exception {
        try (var kafka = KafkaFixture.start();
                var service = new StreamsService(
                        new StreamsSettings("missing-1", state.toString(), 2, 1, 0, Duration.ofSeconds(2)),
                        KafkaAccess.at(kafka.bootstrapServers()),
                        new CountedMetrics());
                var producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "acks", "all", "max.block.ms", 500),
                        new StringSerializer(),
                        new ByteArraySerializer())) {
            service.start();
            assertTrue(within(Duration.ofMinutes(5), service::isRunning), service::state);
            kafka.admin().deleteTopics(List.of(topic)).all().get();
            var failure = service.failure().toCompletableFuture();
            assertTrue(
                    within(Duration.ofMinutes(5), () -> {
                        if (!topic.equals(Topics.QUOTES_RAW.name())) {
                            producer.send(record(SeededQuotes.plausible(7, System.currentTimeMillis())));
                        }
                        return failure.isDone();
                    }),
                    service::state);
            String line = failure.join();
            assertTrue(line.startsWith("topics [" + topic + "] are missing"), line);
            assertTrue(line.contains("run `observatory topics --create`"), line);
        }
    }

    private static ProducerRecord<String, byte[]> record(Quote quote) {
        return new ProducerRecord<>(Topics.QUOTES_RAW.name(), quote.key().toString(), Quote.CODEC.encode(quote));
    }
}
