package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.client.Brokers;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.kafka.KafkaAccess;
import io.fundingobservatory.topics.kafka.TopicCreation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic that somebody deletes while the service runs. */
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

    /** One that it only writes: of one that it reads Kafka Streams itself says so, and ends. */
    @Test
    void itIsSaidAndOverWhenTheTopicIsMadeAnew() throws Exception {
        String topic = Topics.RATES_LATEST.name();
        try (var kafka = KafkaFixture.start();
                var service = new StreamsService(
                        new StreamsSettings("missing-1", state.toString(), 1, 0),
                        KafkaAccess.at(kafka.bootstrapServers()),
                        InstantSource.system(),
                        new CountedMetrics())) {
            service.start();
            assertTrue(within(Duration.ofSeconds(60), service::isRunning), service::state);
            kafka.admin().deleteTopics(List.of(topic)).all().get();
            assertTrue(
                    within(
                            Duration.ofSeconds(30),
                            () -> service.state().startsWith("topics [" + topic + "] are missing")),
                    service::state);
            assertFalse(service.isRunning());
            assertEquals(List.of(topic), service.missingTopics());
            TopicCreation.ensure(kafka.admin(), (short) 1);
            assertTrue(within(Duration.ofSeconds(60), () -> !service.state().contains("missing")), service::state);
            assertEquals(List.of(), service.missingTopics());
        }
    }

    @Test
    void everyTopicThatIsReadOrWrittenIsLookedFor() {
        assertTrue(Brokers.NEEDED.containsAll(List.of(
                Topics.QUOTES_RAW.name(),
                Topics.SETTLEMENTS_RAW.name(),
                Topics.RATES_NORMALISED.name(),
                Topics.RATES_LATEST.name(),
                Topics.SETTLEMENTS.name(),
                Topics.CARRY_PAIRS.name(),
                Topics.DEAD_LETTERS.name())));
    }
}
