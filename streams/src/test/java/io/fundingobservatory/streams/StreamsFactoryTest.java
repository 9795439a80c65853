package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.BeanInstantiationException;
import io.micronaut.health.HealthStatus;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

class StreamsFactoryTest {
    @Test
    void recordsEveryDefault() {
        try (var context = ApplicationContext.run()) {
            assertEquals(
                    new StreamsSettings("streams-1", "data/streams", 2, 1, 0, Duration.ofSeconds(60)),
                    context.getBean(StreamsSettings.class));
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
                2,
                "observatory.streams.tables-wait",
                "5s"))) {
            assertEquals(
                    new StreamsSettings("a", "/b", 3, 4, 2, Duration.ofSeconds(5)),
                    context.getBean(StreamsSettings.class));
            StreamsService service = context.getBean(StreamsService.class);
            assertFalse(service.isRunning());
            assertEquals(
                    HealthStatus.DOWN,
                    Mono.from(context.getBean(StreamsHealth.class).getResult())
                            .block()
                            .getStatus());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "treads | unknown key observatory.streams.treads",
                "threads | observatory.streams.threads is three and must be a whole number",
            })
    void settingThatCannotBeUsedIsNamed(String key, String line) {
        try (var context = ApplicationContext.run(Map.of("observatory.streams." + key, "three"))) {
            var failure = assertThrows(BeanInstantiationException.class, () -> context.getBean(StreamsService.class));
            assertTrue(failure.getMessage().contains(line), failure::getMessage);
        }
    }

    @Test
    void startFailsWithOneLineOnAnyException() {
        var service = new StreamsService(
                new StreamsSettings("test-1", "no-directory", 1, 1, 0, Duration.ofSeconds(60)),
                KafkaAccess.at("not an address"),
                new CountedMetrics(),
                new SimpleMeterRegistry());
        service.start();
        assertTrue(
                service.state().startsWith("failed: ConfigException Invalid url in bootstrap.servers"),
                service.state());
        service.close();
    }
}
