package io.fundingobservatory.gateway.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Limits of connections of the public port, below {@code observatory.gateway.port}. {@code docs/operations/settings.md} has these lines.
 *
 * @param headerTimeout time for the whole header of a request
 * @param stalledTimeout longest time in which a client reads nothing
 * @param slowAfter longest time in which a client reads slower than {@code slowest-reading}
 * @param slowestReading bytes a second
 * @param idleTimeout longest idle time of a connection, in whole seconds
 * @param connections in all
 * @param clientConnections of one IPv4 address or IPv6 /64; a /56 may have 4 times, a /48 16 times as many, trusted proxies all
 * @param clientAnswersMb bodies being sent to one client
 * @param answersMb prepared bodies and bodies being sent, outside the heap
 * @param drainDelay at a stop, time during which it serves but is not ready
 */
@ConfigurationProperties(PortSettings.PREFIX)
public record PortSettings(
        @Bindable(defaultValue = "10s") Duration headerTimeout,
        @Bindable(defaultValue = "20s") Duration stalledTimeout,
        @Bindable(defaultValue = "10s") Duration slowAfter,
        @Bindable(defaultValue = "32768") int slowestReading,
        @Bindable(defaultValue = "60s") Duration idleTimeout,
        @Bindable(defaultValue = "2048") int connections,
        @Bindable(defaultValue = "32") int clientConnections,
        @Bindable(defaultValue = "16") int clientAnswersMb,
        @Bindable(defaultValue = "96") int answersMb,
        @Bindable(defaultValue = "0s") Duration drainDelay) {
    public static final String PREFIX = GatewaySettings.PREFIX + ".port";

    public PortSettings {
        Duration least = Duration.ofMillis(100);
        Duration most = Duration.ofHours(1);
        Ranges.between(PREFIX + ".header-timeout", headerTimeout, least, most);
        Ranges.between(PREFIX + ".stalled-timeout", stalledTimeout, least, most);
        Ranges.between(PREFIX + ".slow-after", slowAfter, least, most);
        Ranges.atLeast(PREFIX + ".slowest-reading", slowestReading, 1);
        Ranges.between(PREFIX + ".idle-timeout", idleTimeout, Duration.ofSeconds(1), most);
        Ranges.atLeast(PREFIX + ".connections", connections, 1);
        Ranges.atLeast(PREFIX + ".client-connections", clientConnections, 1);
        // The largest response, the whole list of all exchanges as it is, has to fit.
        Ranges.atLeast(PREFIX + ".client-answers-mb", clientAnswersMb, 8);
        Ranges.atLeast(PREFIX + ".answers-mb", answersMb, 32);
        Ranges.between(PREFIX + ".drain-delay", drainDelay, Duration.ZERO, most);
    }

    /** How often a connection that is being written to is looked at: a twentieth of its shortest deadline. */
    public long watchMs() {
        long shortest = Math.min(slowAfter.toMillis(), Math.min(stalledTimeout.toMillis(), idleTimeout.toMillis()));
        return Math.max(10, shortest / 20);
    }
}
