package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.Set;

/**
 * What connections may do.
 *
 * @param headerTimeout how long the header of a request may take to arrive
 * @param stalledTimeout how long a client may take in nothing of its answer
 * @param idleTimeout how long a connection may be silent
 * @param connections how many connections there may be
 * @param clientConnections how many of them one IPv4 address or IPv6 /64 may hold; trusted proxies may hold all
 * @param drainDelay at shutdown, how long this gateway says that it is not ready before it takes no more connections: as long as a
 *     balancer in front needs to notice
 * @param drainTimeout at shutdown, how long answers under way may take before they are cut off: less than the ten seconds after
 *     which containers are killed
 */
@ConfigurationProperties(PortSettings.PREFIX)
public record PortSettings(
        @Bindable(defaultValue = "10s") Duration headerTimeout,
        @Bindable(defaultValue = "20s") Duration stalledTimeout,
        @Bindable(defaultValue = "60s") Duration idleTimeout,
        @Bindable(defaultValue = "2048") int connections,
        @Bindable(defaultValue = "32") int clientConnections,
        @Bindable(defaultValue = "0s") Duration drainDelay,
        @Bindable(defaultValue = "8s") Duration drainTimeout) {
    static final String PREFIX = GatewaySettings.PREFIX + ".port";

    static final Set<String> KEYS = Set.of(
            "header-timeout",
            "stalled-timeout",
            "idle-timeout",
            "connections",
            "client-connections",
            "drain-delay",
            "drain-timeout");

    /** How often a connection is looked at: a twentieth of its shortest deadline, so that none is missed by more than that. */
    long watchMs() {
        long shortest = Math.min(headerTimeout.toMillis(), Math.min(stalledTimeout.toMillis(), idleTimeout.toMillis()));
        return Math.max(10, shortest / 20);
    }
}
