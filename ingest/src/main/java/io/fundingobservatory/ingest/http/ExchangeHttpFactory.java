package io.fundingobservatory.ingest.http;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.http.client.HttpVersionSelection;
import io.micronaut.http.client.RawHttpClientRegistry;
import io.micronaut.http.client.ServiceHttpClientConfiguration;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/** The exchanges' HTTP out of the framework's client {@code micronaut.http.services.exchange}: timeouts, proxy, TLS, pool. */
@Factory
final class ExchangeHttpFactory {
    @Singleton
    @Bean
    ExchangeHttp exchangeHttp(
            RawHttpClientRegistry clients,
            @Named(ExchangeClientRules.SERVICE) ServiceHttpClientConfiguration configuration,
            HostAddresses addresses,
            RequestMetrics metrics) {
        // The registry closes the client with the application, and gives it its filter (ExchangeRequestHeaders).
        return new ExchangeHttp(
                clients.getRawClient(
                        HttpVersionSelection.forLegacyVersion(io.micronaut.http.HttpVersion.HTTP_1_1),
                        ExchangeClientRules.SERVICE,
                        null),
                configuration,
                addresses,
                ExchangeHttp.DEADLINE,
                request -> {},
                metrics);
    }
}
