package io.fundingobservatory.ingest;

import io.fundingobservatory.runtime.SettingVariables;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;

/**
 * Starts ingest on a thread of its own once the management server responds. Closes it when the application
 * begins to stop: its pollers end before the HTTP client that they use.
 */
@Context
final class IngestLifecycle {
    private final IngestService service;

    IngestLifecycle(IngestService service, Environment environment) {
        SettingVariables.refuseUnknown(
                IngestSettings.PREFIX,
                IngestSettings.KEYS,
                environment.getPropertyEntries(IngestSettings.PREFIX).stream()
                        .map(entry -> NameUtils.hyphenate(entry.replaceAll("\\[.*", "")))
                        .toList());
        SettingVariables.refuseUnreadable(environment, IngestSettings.PREFIX, IngestSettings.class);
        this.service = service;
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
