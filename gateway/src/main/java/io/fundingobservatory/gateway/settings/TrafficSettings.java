package io.fundingobservatory.gateway.settings;

import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.Limits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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
@ConfigurationProperties(TrafficSettings.PREFIX)
public record TrafficSettings(
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

    public TrafficSettings {
        GatewaySettings.atLeast(PREFIX + ".points-per-minute", pointsPerMinute, 1);
        // The whole list costs 6 points: with less it could never be had.
        GatewaySettings.atLeast(PREFIX + ".burst-points", burstPoints, 6);
        GatewaySettings.between(PREFIX + ".window", window, Duration.ofSeconds(1), Duration.ofHours(1));
        GatewaySettings.atLeast(PREFIX + ".sweep-names", sweepNames, 2);
        GatewaySettings.between(PREFIX + ".sweep-percent", sweepPercent, 1, 100);
        GatewaySettings.atLeast(PREFIX + ".request-names", requestNames, 1);
        // A request may name so many: with less it could never be had.
        String names = "at least " + requestNames + ", which is " + PREFIX + ".request-names";
        GatewaySettings.check(PREFIX + ".window-names", windowNames, windowNames >= requestNames, names);
        GatewaySettings.check(PREFIX + ".hour-names", hourNames, hourNames >= requestNames, names);
        GatewaySettings.check(
                PREFIX + ".forwarding-header",
                forwardingHeader,
                forwardingHeader.equalsIgnoreCase(ClientAddresses.X_FORWARDED_FOR)
                        || forwardingHeader.equalsIgnoreCase(ClientAddresses.FORWARDED),
                "X-Forwarded-For or Forwarded");
        GatewaySettings.between(PREFIX + ".memory-mb", memoryMb, 1, 64);
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
