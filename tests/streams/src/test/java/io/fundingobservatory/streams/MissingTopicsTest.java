package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.client.Brokers;
import io.fundingobservatory.streams.client.ClientRestarts;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A topic that is deleted while the service runs. */
class MissingTopicsTest {
    /** Each of four threads, three times at most: as often as a topic may be missing in what a broker returns while it is created. */
    private static final int MOST_RESTARTS = 12;

    /** So many quotes that a transaction still holds events of theirs when {@code contract.events} is deleted. */
    private static final int UNDER_WAY = 5_000;

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

    /** A topic that streams only writes: Kafka Streams itself does not report it. */
    @Test
    void reportsMissingTopicAndCreatesItAgain() throws Exception {
        String topic = Topics.RATES_LATEST.name();
        try (var kafka = KafkaFixture.start();
                var service = new StreamsService(
                        new StreamsSettings("missing-1", state.toString(), 1, 1, 0),
                        KafkaAccess.at(kafka.bootstrapServers()),
                        InstantSource.system(),
                        new CountedMetrics())) {
            service.start();
            assertTrue(within(Duration.ofMinutes(5), service::isRunning), service::state);
            kafka.admin().deleteTopics(List.of(topic)).all().get();
            assertTrue(
                    within(
                            Duration.ofMinutes(5),
                            () -> service.state().startsWith("topics [" + topic + "] are missing")),
                    service::state);
            assertFalse(service.isRunning());
            assertEquals(List.of(topic), service.missingTopics());
            assertTrue(within(Duration.ofMinutes(5), () -> !service.state().contains("missing")), service::state);
            assertEquals(List.of(), service.missingTopics());
        }
    }

    /** The input of each application. */
    @Test
    void createsDeletedInputTopicsAndContinues() throws Exception {
        var log = (Logger) LoggerFactory.getLogger(ClientRestarts.class);
        var restarts = new ListAppender<ILoggingEvent>();
        restarts.start();
        var topics = List.of(Topics.QUOTES_RAW.name(), Topics.CONTRACT_EVENTS.name());
        var source = new SeededQuotes(7);
        try (var kafka = KafkaFixture.start();
                var service = new StreamsService(
                        new StreamsSettings("missing-2", state.toString(), 2, 1, 0),
                        KafkaAccess.at(kafka.bootstrapServers()),
                        InstantSource.system(),
                        new CountedMetrics());
                var producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "acks", "all"),
                        new StringSerializer(),
                        new ByteArraySerializer())) {
            service.start();
            assertTrue(within(Duration.ofMinutes(5), service::isRunning), service::state);
            try (var rows = new CommittedRecords(kafka.bootstrapServers(), Topics.RATES_LATEST.name())) {
                send(producer, source);
                assertTrue(within(Duration.ofMinutes(5), () -> rows.poll() > 0), "rows before");
            }
            List<Uuid> before = idsOf(kafka, topics);
            log.addAppender(restarts);
            for (int i = 0; i < UNDER_WAY; i++) {
                producer.send(record(next(source)));
            }
            kafka.admin().deleteTopics(topics).all().get();
            assertTrue(
                    within(Duration.ofMinutes(5), () -> areAnew(before, idsOf(kafka, topics)) && service.isRunning()),
                    service::state);
            try (var rows = new CommittedRecords(kafka.bootstrapServers(), Topics.RATES_LATEST.name())) {
                Quote first = send(producer, source);
                assertTrue(
                        within(Duration.ofMinutes(5), () -> {
                            rows.poll();
                            return rows.records.stream().anyMatch(row -> isOf(first, row.value()));
                        }),
                        "the row of the new topic's first record");
            }
            assertFalse(service.failure().toCompletableFuture().isDone(), service::state);
            // A thread may end in the rebalance, or die of its commit. A member that returned to its group in its
            // former state would be restarted some hundred times, until its session ends.
            long ended = restarts.list.stream()
                    .filter(line -> line.getFormattedMessage().startsWith("stream thread "))
                    .count();
            assertTrue(ended <= MOST_RESTARTS, ended + " threads ended");
        } finally {
            log.detachAppender(restarts);
        }
    }

    /** A quote that makes a row; on the broker when this returns. */
    private static Quote send(KafkaProducer<String, byte[]> producer, SeededQuotes source) throws Exception {
        Quote quote = next(source);
        producer.send(record(quote)).get();
        return quote;
    }

    private static Quote next(SeededQuotes source) {
        Quote quote;
        do {
            quote = source.next(System.currentTimeMillis());
        } while (source.expected(quote) == null);
        return quote;
    }

    private static ProducerRecord<String, byte[]> record(Quote quote) {
        return new ProducerRecord<>(Topics.QUOTES_RAW.name(), quote.key().toString(), Quote.CODEC.encode(quote));
    }

    private static boolean isOf(Quote quote, byte[] row) {
        try {
            Rate rate = Rate.CODEC.decode(row);
            return rate.key().equals(quote.key()) && rate.observedAtMs() == quote.observedAtMs();
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    private static boolean areAnew(List<Uuid> before, List<Uuid> now) {
        return now.size() == before.size() && Collections.disjoint(before, now);
    }

    /** What tells topics from others of the same names; none where one is not there. */
    private static List<Uuid> idsOf(KafkaFixture kafka, List<String> topics) {
        try {
            return kafka.admin().describeTopics(topics).allTopicNames().get().values().stream()
                    .map(TopicDescription::topicId)
                    .toList();
        } catch (ExecutionException e) {
            return List.of();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void watchesEveryTopicReadOrWritten() {
        assertTrue(Brokers.NEEDED.containsAll(List.of(
                Topics.QUOTES_RAW.name(),
                Topics.SETTLEMENTS_RAW.name(),
                Topics.RATES_NORMALISED.name(),
                Topics.RATES_LATEST.name(),
                Topics.CONTRACT_EVENTS.name(),
                Topics.SETTLEMENTS.name(),
                Topics.CARRY_PAIRS.name(),
                Topics.DEAD_LETTERS.name())));
    }
}
