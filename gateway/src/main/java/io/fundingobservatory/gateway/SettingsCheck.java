package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.settings.TrafficSettings;
import io.fundingobservatory.runtime.SettingVariables;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.ssl.ServerSslConfiguration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Refuses to start with what cannot be honoured, in a line that names the setting. */
@Context
final class SettingsCheck {
    /** The settings of the port and of traffic check their own ranges; they are injected so that nothing starts before that. */
    SettingsCheck(
            Environment environment,
            PortSettings portInRange,
            TrafficSettings trafficInRange,
            NettyHttpServerConfiguration server,
            ServerSslConfiguration tls,
            @Property(name = "endpoints.all.port", defaultValue = "8081") int managementPort) {
        checkKeys(environment::getPropertyEntries);
        checkVersion(server.getHttpVersion());
        checkPorts(tls.isEnabled() ? tls.getPort() : server.getPort().orElse(8080), managementPort);
    }

    /** {@code entries} are the names that are set below a prefix. A variable names a key of an area with a hyphen. */
    static void checkKeys(Function<String, Collection<String>> entries) {
        List<String> known = new ArrayList<>(keys(GatewaySettings.class));
        Map.of(PortSettings.PREFIX, PortSettings.class, TrafficSettings.PREFIX, TrafficSettings.class)
                .forEach((prefix, settings) -> {
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
