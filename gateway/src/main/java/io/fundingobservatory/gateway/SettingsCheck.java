package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.settings.TrafficSettings;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration.NettyListenerConfiguration;
import io.micronaut.http.ssl.CertificateProvider;
import io.micronaut.http.ssl.ServerSslConfiguration;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Flux;

/** Refuses to start with what cannot be honoured, in a line that names the setting. */
@Context
final class SettingsCheck {
    private static final Duration LOADING = Duration.ofSeconds(10);

    /** One public listener and the management port: the program that runs everything binds that to the loopback address. */
    private static boolean isPublicAndManagement(List<NettyListenerConfiguration> listeners, int managementPort) {
        return listeners.size() == 2
                && listeners.stream()
                                .filter(listener -> listener.getPort() == managementPort)
                                .count()
                        == 1;
    }

    /** The settings of the port and of traffic check their own ranges; they are injected so that nothing starts before that. */
    SettingsCheck(
            Environment environment,
            PortSettings portInRange,
            TrafficSettings trafficInRange,
            NettyHttpServerConfiguration server,
            ServerSslConfiguration tls,
            BeanContext beans,
            @Property(name = "endpoints.all.port", defaultValue = "8081") int managementPort) {
        GatewaySettings.unknownKey(
                        environment
                                .getProperties(GatewaySettings.PREFIX, StringConvention.RAW)
                                .keySet(),
                        System.getenv().keySet())
                .ifPresent(key -> {
                    throw new IllegalArgumentException(key + " is not a setting of the gateway");
                });
        if (managementPort < 1) {
            throw new IllegalArgumentException(
                    "observatory.management.port is " + managementPort + " and must be a port from 1 to 65535");
        }
        int port = tls.isEnabled() ? tls.getPort() : server.getPort().orElse(8080);
        if (port > 0 && port == managementPort) {
            throw new IllegalArgumentException("the public port and observatory.management.port are both " + port);
        }
        if (server.getHttpVersion() == HttpVersion.HTTP_2_0) {
            throw new IllegalArgumentException(
                    "micronaut.server.http-version 2.0 cannot be used: the proxy in front speaks HTTP/2");
        }
        if (server.isDualProtocol()) {
            throw new IllegalArgumentException(
                    "micronaut.server.dual-protocol cannot be used: there is one public port");
        }
        if (server.getListeners() != null && !isPublicAndManagement(server.getListeners(), managementPort)) {
            throw new IllegalArgumentException(
                    "micronaut.server.netty.listeners cannot be used: there is one public port");
        }
        if (tls.isEnabled() && tls.getKeyName() != null) {
            checkCertificate(tls, beans);
        }
    }

    /** The framework logs a certificate that it cannot load, and would start without one. */
    private static void checkCertificate(ServerSslConfiguration tls, BeanContext beans) {
        String name = tls.getKeyName();
        CertificateProvider provider = beans.findBean(CertificateProvider.class, Qualifiers.byName(name))
                .orElseThrow(() -> new IllegalArgumentException(
                        "micronaut.server.ssl.key-name " + name + " names no certificate below micronaut.certificate"));
        KeyStore store = Flux.from(provider.getKeyStore()).blockFirst(LOADING);
        // A key in PEM has none.
        char[] password = tls.getKey()
                .getPassword()
                .or(() -> tls.getKeyStore().getPassword())
                .map(String::toCharArray)
                .orElse(null);
        try {
            for (String alias : Collections.list(Objects.requireNonNull(store).aliases())) {
                if (store.isKeyEntry(alias)) {
                    store.getKey(alias, password);
                }
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new IllegalArgumentException("the key of the certificate " + name
                    + " cannot be opened: it is to be in PEM, or micronaut.server.ssl.key.password is to open it");
        }
    }
}
