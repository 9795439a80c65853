package io.fundingobservatory.gateway.settings;

import io.fundingobservatory.runtime.SettingVariables;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.ssl.CertificateProvider;
import io.micronaut.http.ssl.ServerSslConfiguration;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;

/** Refuses to start with what cannot be honoured, in a line that names the setting. */
@Context
public final class SettingsCheck {
    private static final Map<String, Class<? extends Record>> AREAS = Map.of(
            GatewaySettings.Port.PREFIX,
            GatewaySettings.Port.class,
            GatewaySettings.Traffic.PREFIX,
            GatewaySettings.Traffic.class);

    /** The settings of the port and of traffic check their own ranges; they are injected so that nothing starts before that. */
    SettingsCheck(
            Environment environment,
            GatewaySettings.Port portInRange,
            GatewaySettings.Traffic trafficInRange,
            NettyHttpServerConfiguration server,
            ServerSslConfiguration tls,
            BeanContext beans,
            @Property(name = "endpoints.all.port", defaultValue = "8081") int managementPort) {
        checkKeys(environment::getPropertyEntries);
        SettingVariables.refuseUnreadable(environment, GatewaySettings.PREFIX, GatewaySettings.class);
        AREAS.forEach((prefix, settings) -> SettingVariables.refuseUnreadable(environment, prefix, settings));
        checkVersion(server.getHttpVersion());
        checkPorts(tls.isEnabled() ? tls.getPort() : server.getPort().orElse(8080), managementPort);
        String certificate = tls.getKeyName();
        if (tls.isEnabled() && certificate != null) {
            checkKey(certificate, tls, beans);
        }
    }

    /** The framework logs a key that it cannot open, and each connection would be closed. */
    private static void checkKey(String certificate, ServerSslConfiguration tls, BeanContext beans) {
        CertificateProvider certificates = beans.findBean(CertificateProvider.class, Qualifiers.byName(certificate))
                .orElseThrow(() -> new IllegalArgumentException("micronaut.server.ssl.key-name " + certificate
                        + " names no certificate below micronaut.certificate"));
        KeyStore store =
                Objects.requireNonNull(Flux.from(certificates.getKeyStore()).blockFirst(Duration.ofSeconds(10)));
        // As the framework opens it; a key in PEM has no password.
        char[] password = tls.getKey()
                .getPassword()
                .or(() -> tls.getKeyStore().getPassword())
                .map(String::toCharArray)
                .orElse(null);
        boolean opened = false;
        try {
            for (String alias : Collections.list(store.aliases())) {
                opened |= store.getKey(alias, password) != null;
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            opened = false;
        }
        if (!opened) {
            throw new IllegalArgumentException("the certificate " + certificate
                    + " has no key that can be opened: write it in PEM, or set micronaut.server.ssl.key.password");
        }
    }

    /** {@code entries} are the names that are set below a prefix. A variable names a key of an area with a hyphen. */
    static void checkKeys(Function<String, Collection<String>> entries) {
        List<String> known = new ArrayList<>(keys(GatewaySettings.class));
        AREAS.forEach((prefix, settings) -> {
            List<String> keys = keys(settings);
            SettingVariables.refuseUnknown(prefix, keys, entries.apply(prefix));
            String area = prefix.substring(GatewaySettings.PREFIX.length() + 1);
            keys.forEach(key -> known.add(area + '-' + key));
        });
        SettingVariables.refuseUnknown(GatewaySettings.PREFIX, known, entries.apply(GatewaySettings.PREFIX));
    }

    private static List<String> keys(Class<? extends Record> settings) {
        return Stream.of(settings.getRecordComponents())
                .map(component -> NameUtils.hyphenate(component.getName()))
                .toList();
    }

    /** Deadlines and the count of unsent bytes are those of connections of HTTP/1.1. */
    static void checkVersion(HttpVersion version) {
        if (version != HttpVersion.HTTP_1_1) {
            throw new IllegalArgumentException("micronaut.server.http-version is " + version
                    + " and must be 1.1: leave HTTP/2 to a proxy in front of the gateway");
        }
    }

    /** Where both ports are one, the framework serves management on the public port. */
    static void checkPorts(int port, int managementPort) {
        if (managementPort < 1) {
            throw new IllegalArgumentException(
                    "observatory.management.port is " + managementPort + " and must be a port from 1 to 65535");
        }
        if (port == managementPort) {
            throw new IllegalArgumentException("the public port and observatory.management.port are both " + port);
        }
    }
}
