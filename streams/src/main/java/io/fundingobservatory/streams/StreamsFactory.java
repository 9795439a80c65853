package io.fundingobservatory.streams;

import io.fundingobservatory.runtime.KafkaSettings;
import io.fundingobservatory.runtime.SettingVariables;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.env.Environment;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.function.Supplier;

/** Makes the service out of the configuration, and starts it once the management port is open. */
@Factory
final class StreamsFactory {
    @Singleton
    @Bean(preDestroy = "close")
    StreamsService streamsService(
            StreamsSettings settings, StreamsMetrics metrics, Environment environment, MeterRegistry registry) {
        SettingVariables.refuseUnknown(
                StreamsSettings.PREFIX,
                Arrays.stream(StreamsSettings.class.getRecordComponents())
                        .map(component -> NameUtils.hyphenate(component.getName()))
                        .toList(),
                environment.getPropertyEntries(StreamsSettings.PREFIX));
        SettingVariables.refuseUnreadable(environment, StreamsSettings.PREFIX, StreamsSettings.class);
        var service = new StreamsService(settings, KafkaSettings.read(environment), metrics, registry);
        String running = "1 while the application processes its partitions, else 0";
        gauge(registry, "running", running, () -> service.ratesRun() ? 1 : 0, "application", "rates");
        gauge(registry, "running", running, () -> service.pairsRun() ? 1 : 0, "application", "pairs");
        return service;
    }

    private static void gauge(
            MeterRegistry registry, String name, String description, Supplier<Number> value, String... tags) {
        Gauge.builder("observatory.streams." + name, value)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    @Singleton
    StreamsStart streamsStart(StreamsService service) {
        return new StreamsStart(service);
    }

    /** Starts the service in parallel with the server: health must respond while the service waits for a broker. */
    record StreamsStart(StreamsService service) implements ApplicationEventListener<ServerStartupEvent> {
        @Override
        public void onApplicationEvent(ServerStartupEvent event) {
            Thread.ofPlatform().name("streams-start").daemon().start(service::start);
        }
    }
}
