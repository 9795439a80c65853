package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.traffic.Limits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much one client may ask for: one IPv4 address or IPv6 /64; a /56 four times, a /48 sixteen times as much.
 *
 * @param pointsPerMinute points in the long run: the whole list costs 6, pairs 2, anything else 1
 * @param burstPoints points at once
 * @param window the time over which a sweep is looked for
 * @param sweepNames different symbols and assets in that time from which on it can be a sweep
 * @param sweepPercent of those, how many percent looked at once make it one
 * @param windowNames different ones in that time, whatever the share
 * @param hourNames different ones in an hour, whatever the share
 * @param requestNames different ones in one request
 * @param shortestRefusal the first refusal of a sweep; each further one is twice as long
 * @param longestRefusal the longest one
 * @param memoryMb what is remembered of all clients together, megabytes
 * @param trustedProxies whose forwarding fields count: address ranges separated by commas; null for none
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
        @Nullable String exempt) {
    static final String PREFIX = GatewaySettings.PREFIX + ".traffic";

    static final Set<String> KEYS = Set.of(
            "points-per-minute",
            "burst-points",
            "window",
            "sweep-names",
            "sweep-percent",
            "window-names",
            "hour-names",
            "request-names",
            "shortest-refusal",
            "longest-refusal",
            "memory-mb",
            "trusted-proxies",
            "exempt");

    Limits limits() {
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
