package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.client.ClientRestarts;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.BeanInstantiationException;
import io.micronaut.health.HealthStatus;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import reactor.core.publisher.Mono;

class StreamsFactoryTest {
    @Test
    void recordsEveryDefault() {
        try (var context = ApplicationContext.run()) {
            assertEquals(
                    new StreamsSettings("streams-1", "data/streams", 2, 1, 0), context.getBean(StreamsSettings.class));
        }
    }

    @Test
    void readsEveryKey() {
        try (var context = ApplicationContext.run(Map.of(
                "observatory.streams.instance-id",
                "a",
                "observatory.streams.state-dir",
                "/b",
                "observatory.streams.threads",
                3,
                "observatory.streams.pairs-threads",
                4,
                "observatory.streams.standby-replicas",
                2))) {
            assertEquals(new StreamsSettings("a", "/b", 3, 4, 2), context.getBean(StreamsSettings.class));
            StreamsService service = context.getBean(StreamsService.class);
            assertFalse(service.isRunning());
            assertEquals(
                    HealthStatus.DOWN,
                    Mono.from(context.getBean(StreamsHealth.class).getResult())
                            .block()
                            .getStatus());
        }
    }

    @Test
    void unknownKeyFailsNamingKnownKeys() {
        try (var context = ApplicationContext.run(Map.of("observatory.streams.treads", 3))) {
            var failure = assertThrows(BeanInstantiationException.class, () -> context.getBean(StreamsService.class));
            assertTrue(failure.getMessage().contains("unknown key observatory.streams.treads"), failure::getMessage);
        }
    }

    @Test
    void startFailsWithOneLineOnAnyException() {
        var service = new StreamsService(
                new StreamsSettings("test-1", "no-directory", 1, 1, 0),
                KafkaAccess.at("not an address"),
                InstantSource.system(),
                new CountedMetrics());
        service.start();
        assertTrue(
                service.state().startsWith("failed: ConfigException Invalid url in bootstrap.servers"),
                service.state());
        service.close();
    }

    @Test
    void clientsStartAgainUpToABound() {
        var nowMs = new long[] {0};
        var lines = new StringBuilder();
        var restarts = new ClientRestarts(() -> nowMs[0], lines::append);
        var death = new StreamsException("outer", new IllegalStateException("inner\nsecond line"));
        for (int i = 0; i < 20; i++) {
            assertEquals(StreamThreadExceptionResponse.SHUTDOWN_CLIENT, restarts.handle(death));
            assertTrue(restarts.startsAgain());
            nowMs[0] += 121_000;
        }
        restarts.handle(death);
        assertEquals("", lines.toString());
        assertEquals(StreamThreadExceptionResponse.SHUTDOWN_CLIENT, restarts.handle(death));
        assertFalse(restarts.startsAgain());
        assertTrue(lines.toString().endsWith("IllegalStateException inner"), lines::toString);
    }

    @Test
    void secondProcessWithSameIdGivesUp() {
        var lines = new StringBuilder();
        var restarts = new ClientRestarts(() -> 0, lines::append);
        var death = new StreamsException(new FencedInstanceIdException("fenced"));
        assertEquals(StreamThreadExceptionResponse.SHUTDOWN_CLIENT, restarts.handle(death));
        assertFalse(restarts.startsAgain());
        assertTrue(lines.toString().contains("instance-id"), lines::toString);
    }

    /** The threads of a client die one after the other, and of different causes. */
    @Test
    void laterDeathHidesNoMissingTopic() {
        var restarts = new ClientRestarts(() -> 0, line -> {});
        restarts.handle(new MissingSourceTopicException("quotes.raw"));
        restarts.handle(new StreamsException("a send timed out"));
        assertTrue(restarts.lacksTopics());
        restarts.started();
        restarts.handle(new StreamsException("a send timed out"));
        assertFalse(restarts.lacksTopics());
    }

    @Test
    void damageCountsForNextClientAlone() {
        var restarts = new ClientRestarts(() -> 0, line -> {});
        restarts.handle(new ProcessorStateException("not read", new RocksDBException("block checksum mismatch")));
        restarts.handle(new StreamsException("a send timed out"));
        assertEquals("RocksDBException block checksum mismatch", restarts.damage());
        restarts.started();
        assertNull(restarts.damage());
    }
}
