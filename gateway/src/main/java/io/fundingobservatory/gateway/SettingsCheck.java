package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.settings.SettingsKeys;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.ssl.ServerSslConfiguration;

/** Refuses to start with what cannot be honoured, in a line that names the setting. */
@Context
final class SettingsCheck {
    SettingsCheck(
            Environment environment,
            NettyHttpServerConfiguration server,
            ServerSslConfiguration tls,
            @Property(name = "endpoints.all.port", defaultValue = "8081") int managementPort) {
        SettingsKeys.unknown(
                        environment
                                .getProperties(GatewaySettings.PREFIX, StringConvention.RAW)
                                .keySet(),
                        System.getenv().keySet())
                .ifPresent(key -> {
                    throw new IllegalArgumentException(key + " is not a setting of the gateway");
                });
        int port = tls.isEnabled() ? tls.getPort() : server.getPort().orElse(8080);
        if (port > 0 && port == managementPort) {
            throw new IllegalArgumentException("the public port and observatory.management.port are both " + port);
        }
        if (server.getHttpVersion() == HttpVersion.HTTP_2_0 && !tls.isEnabled()) {
            throw new IllegalArgumentException(
                    "micronaut.server.http-version 2.0 needs micronaut.server.ssl.enabled: HTTP/2 is spoken over TLS");
        }
        if (server.isDualProtocol()) {
            throw new IllegalArgumentException(
                    "micronaut.server.dual-protocol cannot be used: there is one public port");
        }
        if (server.getListeners() != null) {
            throw new IllegalArgumentException(
                    "micronaut.server.netty.listeners cannot be used: there is one public port");
        }
    }
}
