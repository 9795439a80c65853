package io.fundingobservatory.streams;

import io.fundingobservatory.runtime.KafkaSettings;
import io.fundingobservatory.runtime.SettingVariables;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.env.Environment;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

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
        var service = new StreamsService(settings, KafkaSettings.read(environment), InstantSource.system(), metrics);
        service.bindTo(registry);
        running(registry, "rates", service, one -> one.ratesRun() ? 1 : 0);
        running(registry, "pairs", service, one -> one.pairsRun() ? 1 : 0);
        Gauge.builder(
                        "observatory.streams.topics.missing",
                        service,
                        one -> one.missingTopics().size())
                .description("Topics that streams reads or writes and that the brokers do not have any more")
                .register(registry);
        Gauge.builder(
                        "observatory.streams.partitions.held.up",
                        service,
                        one -> one.blockedPartitions().size())
                .description("Partitions on which a transaction stays open for longer than any lasts")
                .register(registry);
        return service;
    }

    private static void running(
            MeterRegistry registry, String application, StreamsService service, ToDoubleFunction<StreamsService> one) {
        Gauge.builder("observatory.streams.running", service, one)
                .description("1 while the application processes its partitions, else 0")
                .tag("application", application)
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
