package io.fundingobservatory.gateway.settings;

import io.fundingobservatory.gateway.traffic.Limits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much one client may ask for: one IPv4 address or IPv6 /64; a /56 four times, a /48 sixteen times as much. The limits of sweeps
 * are those of {@link Limits}.
 *
 * @param pointsPerMinute points in the long run: the whole list costs 6, pairs 2, anything else 1
 * @param burstPoints points at once
 * @param memoryMb what is remembered of all clients together, megabytes
 * @param trustedProxies whose forwarding header counts: address ranges separated by commas; null for none
 * @param forwardingHeader the one header that those proxies write, {@code X-Forwarded-For} or {@code Forwarded}; no other is read
 * @param exempt clients that are never refused: address ranges separated by commas; null for none
 */
@ConfigurationProperties(TrafficSettings.PREFIX)
public record TrafficSettings(
        @Bindable(defaultValue = "120") int pointsPerMinute,
        @Bindable(defaultValue = "60") int burstPoints,
        @Bindable(defaultValue = "10m") Duration window,
        @Bindable(defaultValue = "40") int sweepNames,
        @Bindable(defaultValue = "70") int sweepPercent,
        @Bindable(defaultValue = "120") int windowNames,
        @Bindable(defaultValue = "300") int hourNames,
        @Bindable(defaultValue = "50") int requestNames,
        @Bindable(defaultValue = "60s") Duration shortestRefusal,
        @Bindable(defaultValue = "10m") Duration longestRefusal,
        @Bindable(defaultValue = "48") int memoryMb,
        @Nullable String trustedProxies,
        @Bindable(defaultValue = "X-Forwarded-For") String forwardingHeader,
        @Nullable String exempt) {
    public static final String PREFIX = GatewaySettings.PREFIX + ".traffic";

    public TrafficSettings {
        Ranges.atLeast(PREFIX + ".points-per-minute", pointsPerMinute, 1);
        // The whole list costs 6 points: with less it could never be had.
        Ranges.atLeast(PREFIX + ".burst-points", burstPoints, 6);
        Ranges.between(PREFIX + ".window", window, Duration.ofSeconds(1), Duration.ofHours(1));
        Ranges.atLeast(PREFIX + ".sweep-names", sweepNames, 2);
        Ranges.between(PREFIX + ".sweep-percent", sweepPercent, 1, 100);
        Ranges.atLeast(PREFIX + ".window-names", windowNames, 1);
        Ranges.atLeast(PREFIX + ".hour-names", hourNames, 1);
        Ranges.atLeast(PREFIX + ".request-names", requestNames, 1);
        Ranges.between(PREFIX + ".shortest-refusal", shortestRefusal, Duration.ofSeconds(1), Duration.ofHours(1));
        Ranges.between(PREFIX + ".longest-refusal", longestRefusal, shortestRefusal, Duration.ofDays(1));
        Ranges.between(PREFIX + ".memory-mb", memoryMb, 1, 64);
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
                (int) shortestRefusal.toSeconds(),
                (int) longestRefusal.toSeconds(),
                (long) memoryMb << 20);
    }
}
