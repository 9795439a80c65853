package io.fundingobservatory.ingest;

import io.fundingobservatory.topics.KafkaAccess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.naming.conventions.StringConvention;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.annotation.PreDestroy;
import java.time.InstantSource;
import java.util.Map;

/** Starts ingest once the management server answers, on a thread of its own, and closes it with the application. */
@Context
final class IngestLifecycle implements ApplicationEventListener<ServerStartupEvent> {
    private final IngestService service;

    IngestLifecycle(IngestSettings settings, MeterRegistry meters, Environment environment) {
        refuseUnknownKeys(environment);
        this.service = new IngestService(settings, kafkaAccess(environment), InstantSource.system(), meters);
    }

    private static KafkaAccess kafkaAccess(Environment environment) {
        return KafkaAccess.of(
                key -> environment
                        .getProperty(KafkaAccess.PREFIX + "." + key, String.class)
                        .orElse(null),
                environment.getPropertyEntries(KafkaAccess.PREFIX),
                environment.getProperties(KafkaAccess.PREFIX + ".client", StringConvention.RAW),
                System.getenv());
    }

    /** Variables of the environment come in many spellings, so only files and arguments are held to the list. */
    private static void refuseUnknownKeys(Environment environment) {
        String prefix = IngestSettings.PREFIX + '.';
        for (PropertySource source : environment.getPropertySources()) {
            if (source.getConvention() == PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE) {
                continue;
            }
            for (String key : source) {
                if (key.startsWith(prefix)) {
                    String name =
                            NameUtils.hyphenate(key.substring(prefix.length()).replaceAll("\\[.*", ""));
                    if (!IngestSettings.KEYS.contains(name)) {
                        throw new IllegalArgumentException("unknown key " + key + "; known below " + prefix + "* are "
                                + IngestSettings.KEYS.stream().sorted().toList());
                    }
                }
            }
        }
    }

    IngestService service() {
        return service;
    }

    /** A process that can poll nothing any more ends with status 1; not on the caller's thread, for which closing waits. */
    private static void exit(String reason) {
        Thread.ofPlatform().name("ingest-exit").start(() -> System.exit(1));
    }

    @Override
    public void onApplicationEvent(ServerStartupEvent event) {
        service.failure().thenAccept(IngestLifecycle::exit);
        Thread.ofPlatform().name("ingest-start").start(() -> {
            try {
                service.start();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                service.fail("it could not start: " + e.getMessage());
            }
        });
    }

    @PreDestroy
    void close() {
        service.close();
    }

    /** The health of ingest as the management port tells it. */
    Map<String, Object> details() {
        IngestService.Health health = service.health();
        return Map.of(
                "venues_polled",
                health.polled(),
                "venues_failing",
                health.failing(),
                "venues_silent",
                health.silent().stream().sorted().toList(),
                "broker_reachable",
                health.brokerReachable());
    }
}
