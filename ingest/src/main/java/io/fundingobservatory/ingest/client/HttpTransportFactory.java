package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.publish.IngestEvents;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.http.client.HttpVersionSelection;
import io.micronaut.http.client.RawHttpClientRegistry;
import io.micronaut.http.client.ServiceHttpClientConfiguration;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/** The exchanges' HTTP out of the framework's client {@code micronaut.http.services.exchange}: timeouts, proxy, TLS, pool. */
@Factory
final class HttpTransportFactory {
    @Singleton
    @Bean
    HttpTransport exchangeHttp(
            RawHttpClientRegistry clients,
            @Named(HttpClientRules.SERVICE) ServiceHttpClientConfiguration configuration,
            HostAddresses addresses,
            RequestHeaders headers,
            IngestEvents events) {
        // The registry closes the client with the application.
        return new HttpTransport(
                clients.getRawClient(
                        HttpVersionSelection.forLegacyVersion(io.micronaut.http.HttpVersion.HTTP_1_1),
                        HttpClientRules.SERVICE,
                        null),
                configuration,
                addresses,
                HttpTransport.DEADLINE,
                headers,
                events);
    }
}
