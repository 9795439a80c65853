package io.fundingobservatory.ingest;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.runtime.server.event.ServerStartupEvent;

/** Starts ingest once the management server answers, on a thread of its own; the application closes it. */
@Context
final class IngestLifecycle implements ApplicationEventListener<ServerStartupEvent> {
    private final IngestService service;

    IngestLifecycle(IngestService service, Environment environment) {
        refuseUnknownKeys(environment);
        this.service = service;
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
}
