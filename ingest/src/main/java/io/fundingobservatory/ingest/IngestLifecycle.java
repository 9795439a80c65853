package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.fetching.ExchangeHttp;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.annotation.PreDestroy;
import java.time.InstantSource;
import java.util.Map;

/** Starts ingest once the management server answers, on a thread of its own, and closes it with the application. */
@Context
final class IngestLifecycle implements ApplicationEventListener<ServerStartupEvent> {
    private final IngestService service;

    IngestLifecycle(
            IngestSettings settings,
            @Property(name = "observatory.kafka.bootstrap-servers", defaultValue = "localhost:9092")
                    String bootstrapServers,
            @Property(name = "observatory.kafka.replication-factor", defaultValue = "1") short replication,
            MeterRegistry meters,
            ExchangeHttp http,
            Environment environment) {
        refuseUnknownKeys(environment);
        this.service = new IngestService(settings, bootstrapServers, replication, InstantSource.system(), meters, http);
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

    @Override
    public void onApplicationEvent(ServerStartupEvent event) {
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
