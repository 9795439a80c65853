package io.fundingobservatory.gateway.settings;

import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Limits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of snapshots, below {@code observatory.gateway}. {@code docs/operations/settings.md} has these lines.
 *
 * @param firstListDeadline how long the first snapshot waits for venues after its first row; it waits for a lag of {@code streams} without limit
 * @param generationInterval snapshot interval, 1 to 10 whole seconds; the same for all gateways
 * @param securityContact {@code mailto:} or {@code https:} URI for reports of faults, served in {@code /.well-known/security.txt} (RFC 9116); empty: 404
 */
@ConfigurationProperties(GatewaySettings.PREFIX)
public record GatewaySettings(
        @Bindable(defaultValue = "60s") Duration firstListDeadline,
        @Bindable(defaultValue = "5s") Duration generationInterval,
        @Bindable(defaultValue = "") String securityContact) {
    public static final String PREFIX = "observatory.gateway";

    public GatewaySettings {
        check(PREFIX + ".first-list-deadline", firstListDeadline, !firstListDeadline.isNegative(), "at least 0s");
        // Caches count whole seconds, and a row is marked as stale within 10 s.
        long ms = generationInterval.toMillis();
        boolean usable = ms >= 1_000 && ms <= 10_000 && ms % 1_000 == 0;
        check(PREFIX + ".generation-interval", generationInterval, usable, "from 1s to 10s in whole seconds");
        boolean contact = securityContact.matches("((mailto:|https://)\\S+)?");
        check(PREFIX + ".security-contact", securityContact, contact, "a mailto: or https: URI");
    }

    /**
     * Limits of connections of the public port, below {@code observatory.gateway.port}. {@code docs/operations/settings.md} has these lines.
     *
     * @param requestDeadline time for a whole request, from its first byte on
     * @param responseDeadline time in which a client reads a whole response
     * @param idleTimeout longest idle time of a connection, in whole seconds
     * @param connections in all
     * @param clientConnections of one IPv4 address or IPv6 /64; a /56 may have 4 times, a /48 16 times as many, trusted proxies all
     */
    @ConfigurationProperties("port")
    public record Port(
            @Bindable(defaultValue = "10s") Duration requestDeadline,
            @Bindable(defaultValue = "60s") Duration responseDeadline,
            @Bindable(defaultValue = "60s") Duration idleTimeout,
            @Bindable(defaultValue = "2048") int connections,
            @Bindable(defaultValue = "64") int clientConnections) {
        public static final String PREFIX = GatewaySettings.PREFIX + ".port";

        public Port {
            Duration least = Duration.ofMillis(100);
            Duration most = Duration.ofHours(1);
            between(PREFIX + ".request-deadline", requestDeadline, least, most);
            between(PREFIX + ".response-deadline", responseDeadline, least, most);
            between(PREFIX + ".idle-timeout", idleTimeout, Duration.ofSeconds(1), most);
            atLeast(PREFIX + ".connections", connections, 1);
            atLeast(PREFIX + ".client-connections", clientConnections, 1);
        }
    }

    /**
     * Client limits, below {@code observatory.gateway.traffic}. {@code docs/operations/settings.md} has these lines.
     *
     * @param pointsPerMinute points of one client; see {@code docs/http.md} for what a request costs
     * @param burstPoints at once
     * @param window time over which name sweeps are detected
     * @param sweepNames different names, each in its own request, that can be a sweep; at least 2
     * @param sweepPercent percent of them requested once
     * @param windowNames most different names in that time
     * @param hourNames most different names in an hour
     * @param requestNames most different names in one request
     * @param memoryMb memory for all clients
     * @param trustedProxies address ranges whose forwarding header counts, separated by commas
     * @param forwardingHeader the header that they write, {@code X-Forwarded-For} or {@code Forwarded}
     * @param exempt address ranges without client limits
     */
    @ConfigurationProperties("traffic")
    public record Traffic(
            @Bindable(defaultValue = "120") int pointsPerMinute,
            @Bindable(defaultValue = "120") int burstPoints,
            @Bindable(defaultValue = "10m") Duration window,
            @Bindable(defaultValue = "40") int sweepNames,
            @Bindable(defaultValue = "70") int sweepPercent,
            @Bindable(defaultValue = "120") int windowNames,
            @Bindable(defaultValue = "300") int hourNames,
            @Bindable(defaultValue = "50") int requestNames,
            @Bindable(defaultValue = "16") int memoryMb,
            @Nullable String trustedProxies,
            @Bindable(defaultValue = "X-Forwarded-For") String forwardingHeader,
            @Nullable String exempt) {
        public static final String PREFIX = GatewaySettings.PREFIX + ".traffic";

        public Traffic {
            atLeast(PREFIX + ".points-per-minute", pointsPerMinute, 1);
            // The whole list costs 6 points: with less it could never be had.
            atLeast(PREFIX + ".burst-points", burstPoints, 6);
            between(PREFIX + ".window", window, Duration.ofSeconds(1), Duration.ofHours(1));
            atLeast(PREFIX + ".sweep-names", sweepNames, 2);
            between(PREFIX + ".sweep-percent", sweepPercent, 1, 100);
            atLeast(PREFIX + ".request-names", requestNames, 1);
            // A request may name so many: with less it could never be had.
            String names = "at least " + requestNames + ", which is " + PREFIX + ".request-names";
            check(PREFIX + ".window-names", windowNames, windowNames >= requestNames, names);
            check(PREFIX + ".hour-names", hourNames, hourNames >= requestNames, names);
            check(
                    PREFIX + ".forwarding-header",
                    forwardingHeader,
                    forwardingHeader.equalsIgnoreCase(ClientAddresses.X_FORWARDED_FOR)
                            || forwardingHeader.equalsIgnoreCase(ClientAddresses.FORWARDED),
                    "X-Forwarded-For or Forwarded");
            between(PREFIX + ".memory-mb", memoryMb, 1, 64);
        }

        public Limits limits() {
            return new Limits(
                    pointsPerMinute,
                    burstPoints,
                    (int) window.toSeconds(),
                    sweepNames,
                    sweepPercent,
                    windowNames,
                    hourNames,
                    requestNames,
                    (long) memoryMb << 20);
        }
    }

    private static void atLeast(String key, int value, int least) {
        check(key, value, value >= least, "at least " + least);
    }

    private static <T extends Comparable<T>> void between(String key, T value, T least, T most) {
        check(
                key,
                value,
                value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                "from " + shown(least) + " to " + shown(most));
    }

    /** Says in a line which setting cannot be used. */
    private static void check(String key, Object value, boolean usable, String usableValues) {
        if (!usable) {
            throw new IllegalArgumentException(key + " is " + shown(value) + " and must be " + usableValues);
        }
    }

    private static String shown(Object value) {
        return value instanceof Duration duration
                ? duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms"
                : value.toString();
    }
}
