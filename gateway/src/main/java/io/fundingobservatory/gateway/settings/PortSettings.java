package io.fundingobservatory.gateway.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Limits of connections of the public port, below {@code observatory.gateway.port}. {@code docs/operations/settings.md} has these lines.
 *
 * @param requestDeadline time for a whole request, from its first byte on
 * @param responseDeadline time in which a client reads a whole response
 * @param idleTimeout longest idle time of a connection, in whole seconds
 * @param connections in all
 * @param clientConnections of one IPv4 address or IPv6 /64; a /56 may have 4 times, a /48 16 times as many, trusted proxies all
 */
@ConfigurationProperties(PortSettings.PREFIX)
public record PortSettings(
        @Bindable(defaultValue = "10s") Duration requestDeadline,
        @Bindable(defaultValue = "60s") Duration responseDeadline,
        @Bindable(defaultValue = "60s") Duration idleTimeout,
        @Bindable(defaultValue = "2048") int connections,
        @Bindable(defaultValue = "64") int clientConnections) {
    public static final String PREFIX = GatewaySettings.PREFIX + ".port";

    public PortSettings {
        Duration least = Duration.ofMillis(100);
        Duration most = Duration.ofHours(1);
        GatewaySettings.between(PREFIX + ".request-deadline", requestDeadline, least, most);
        GatewaySettings.between(PREFIX + ".response-deadline", responseDeadline, least, most);
        GatewaySettings.between(PREFIX + ".idle-timeout", idleTimeout, Duration.ofSeconds(1), most);
        GatewaySettings.atLeast(PREFIX + ".connections", connections, 1);
        GatewaySettings.atLeast(PREFIX + ".client-connections", clientConnections, 1);
    }
}
