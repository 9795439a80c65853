package io.fundingobservatory.gateway.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Limits of the connections of the public port.
 *
 * @param headerTimeout how long the header of a request may take to arrive
 * @param stalledTimeout how long a client may read nothing of its response
 * @param slowAfter how long a client may read its response more slowly than {@code slowestReading}
 * @param slowestReading the least rate at which a client must read responses, bytes a second
 * @param idleTimeout how long a connection may have no request; in whole seconds
 * @param connections how many connections there may be
 * @param clientConnections how many of them one IPv4 address or IPv6 /64 may hold. A /56 may hold four times,
 *     a /48 sixteen times as many; trusted proxies may hold all
 * @param clientAnswersMb how much of one client's responses may be on its way to it, megabytes
 * @param answersMb how much memory outside the heap prepared responses and those on their way may take,
 *     megabytes
 * @param drainDelay at shutdown, how long this gateway reports that it is not ready before it stops accepting
 *     connections. It is as long as a balancer in front needs to notice
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
        // The largest answer, the whole list of all exchanges as it is, has to fit.
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
