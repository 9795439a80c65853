package io.fundingobservatory.gateway;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.HttpServerConfiguration.CorsConfiguration;
import jakarta.inject.Singleton;

/**
 * Lets pages of any origin read, on localhost too: everything is public and nothing can be changed. The answers carry the CORS
 * fields themselves; without this the server refuses requests that name an origin when it runs on localhost.
 */
@Singleton
final class OpenToEveryOrigin implements BeanCreatedEventListener<CorsConfiguration> {
    @Override
    public CorsConfiguration onCreated(BeanCreatedEvent<CorsConfiguration> event) {
        CorsConfiguration cors = event.getBean();
        cors.setLocalhostPassThrough(true);
        return cors;
    }
}
