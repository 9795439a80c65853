package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Quote;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A topic that is deleted while the service runs. */
@ExtendWith(SharedBroker.class)
class MissingTopicsTest {
    @TempDir
    Path state;

    @AfterEach
    void clear(KafkaFixture kafka) {
        kafka.clear();
    }

    @Test
    void deletedInputEndsProcessWithOneLine(KafkaFixture kafka) throws Exception {
        endsWithout(kafka, Topics.QUOTES_RAW.name());
    }

    /** A send to a topic that is only written fails after Kafka's own time-out of a minute. */
    @Test
    @Tag("nightly")
    void deletedOutputEndsProcessWithOneLine(KafkaFixture kafka) throws Exception {
        endsWithout(kafka, Topics.RATES_LATEST.name());
    }

    private void endsWithout(KafkaFixture kafka, String topic) throws Exception {
        try (var service = new StreamsService(
                        new StreamsSettings("missing-1", state.toString(), 2, 1, 0, Duration.ofSeconds(2)),
                        KafkaAccess.at(kafka.bootstrapServers()),
                        new CountedMetrics(),
                        new SimpleMeterRegistry());
                var producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "acks", "all", "max.block.ms", 500),
                        new StringSerializer(),
                        new ByteArraySerializer())) {
            service.start();
            Await.until("running", service::isRunning);
            kafka.admin().deleteTopics(List.of(topic)).all().get();
            var failure = service.failure().toCompletableFuture();
            Await.until("an end of " + service.state(), () -> {
                if (!topic.equals(Topics.QUOTES_RAW.name())) {
                    producer.send(record(SeededQuotes.plausible(7, System.currentTimeMillis())));
                }
                return failure.isDone();
            });
            String line = failure.join();
            assertTrue(line.startsWith("topics [" + topic + "] are missing"), line);
            assertTrue(line.contains("run `observatory topics --create`"), line);
        }
    }

    private static ProducerRecord<String, byte[]> record(Quote quote) {
        return new ProducerRecord<>(Topics.QUOTES_RAW.name(), quote.key().toString(), Quote.CODEC.encode(quote));
    }
}
