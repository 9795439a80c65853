package io.fundingobservatory.gateway;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * What connections may do.
 *
 * @param headerTimeout how long the header of a request may take to arrive
 * @param connections how many connections there may be
 * @param clientConnections how many of them one IPv4 address or IPv6 /64 may hold; trusted proxies may hold all
 */
@ConfigurationProperties(PortSettings.PREFIX)
public record PortSettings(
        @Bindable(defaultValue = "10s") Duration headerTimeout,
        @Bindable(defaultValue = "2048") int connections,
        @Bindable(defaultValue = "32") int clientConnections) {
    static final String PREFIX = GatewaySettings.PREFIX + ".port";

    private static final Set<String> KEYS = Set.of("header-timeout", "connections", "client-connections");

    /** The first configured key that means nothing here. */
    static Optional<String> unknownKey(Collection<String> configured) {
        return configured.stream().filter(key -> !KEYS.contains(key)).sorted().findFirst();
    }
}
