package io.fundingobservatory.ingest.client;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.client.HttpClientConfiguration;
import io.micronaut.http.client.ServiceHttpClientConfiguration;
import jakarta.inject.Singleton;
import java.net.ProxySelector;

/**
 * Fixed rules of the HTTP client for venues; {@code micronaut.http.services.exchange.*} cannot change them. There are no
 * redirects, bodies stay as sent, and a status of 400 or more is a response. Without a configured proxy, the JVM's own is
 * used ({@code https.proxyHost}, {@code https.proxyPort}, {@code http.nonProxyHosts}).
 */
@Singleton
final class HttpClientRules implements BeanCreatedEventListener<ServiceHttpClientConfiguration> {
    /** The name below {@code micronaut.http.services}. */
    static final String SERVICE = "exchange";

    private static final int MAX_HEADER_BYTES = 32 * 1024;

    @Override
    public ServiceHttpClientConfiguration onCreated(BeanCreatedEvent<ServiceHttpClientConfiguration> event) {
        ServiceHttpClientConfiguration configuration = event.getBean();
        if (configuration.getServiceId().equals(SERVICE)) {
            apply(configuration);
        }
        return configuration;
    }

    static void apply(HttpClientConfiguration configuration) {
        configuration.setFollowRedirects(false);
        configuration.setExceptionOnErrorStatus(false);
        configuration.setDecompressionEnabled(false);
        configuration.setMaxHeaderSize(MAX_HEADER_BYTES);
        if (configuration.getProxyAddress().isEmpty()
                && configuration.getProxySelector().isEmpty()) {
            configuration.setProxySelector(ProxySelector.getDefault());
        }
        // A proxy gets the name, which may be unknown here; the client looks up no name behind a proxy.
        configuration.setAddressResolverGroupName(SERVICE);
    }
}
