package io.fundingobservatory.ingest;

import io.fundingobservatory.runtime.SettingVariables;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import java.util.List;

/**
 * Starts ingest on a thread of its own once the management server responds. Closes it when the application
 * begins to stop: its pollers end before the HTTP client that they use.
 */
@Context
final class IngestLifecycle {
    private final IngestService service;

    IngestLifecycle(IngestService service, Environment environment) {
        refuseUnknownKeys(environment);
        this.service = service;
    }

    private static void refuseUnknownKeys(Environment environment) {
        SettingVariables.unknown(
                        IngestSettings.PREFIX,
                        IngestSettings.KEYS,
                        List.of(),
                        System.getenv().keySet())
                .ifPresent(variable -> {
                    throw new IllegalArgumentException(variable + " is no setting; known below "
                            + IngestSettings.PREFIX + ".* are "
                            + IngestSettings.KEYS.stream().sorted().toList());
                });
        for (String entry : environment.getPropertyEntries(IngestSettings.PREFIX)) {
            String key = NameUtils.hyphenate(entry.replaceAll("\\[.*", ""));
            // A variable that has been held to the list is read as poll-interval and as poll.interval.
            if (IngestSettings.KEYS.stream().noneMatch(name -> name.equals(key) || name.startsWith(key + "-"))) {
                throw new IllegalArgumentException("unknown key " + IngestSettings.PREFIX + '.' + key + "; known below "
                        + IngestSettings.PREFIX + ".* are "
                        + IngestSettings.KEYS.stream().sorted().toList());
            }
        }
    }

    @EventListener
    void start(ServerStartupEvent event) {
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

    @EventListener
    void stop(ShutdownEvent event) {
        service.close();
    }
}
