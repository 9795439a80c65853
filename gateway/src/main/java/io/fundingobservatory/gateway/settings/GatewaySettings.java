package io.fundingobservatory.gateway.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.Set;

/**
 * How snapshots are made.
 *
 * @param firstListDeadline how long the first list may wait for exchanges that have not arrived
 * @param shortestGeneration the least time between two snapshots
 * @param longestGeneration the most time between two snapshots, so that ages are told anew
 * @param shortestPacking the least time between two snapshots that are packed as br and zstd as well
 * @param readyWithin the age of the snapshot beyond which this gateway is not ready
 * @param accessLog whether each answer is logged, with no more of the client's address than its network
 */
@ConfigurationProperties(GatewaySettings.PREFIX)
public record GatewaySettings(
        @Bindable(defaultValue = "60s") Duration firstListDeadline,
        @Bindable(defaultValue = "250ms") Duration shortestGeneration,
        @Bindable(defaultValue = "10s") Duration longestGeneration,
        @Bindable(defaultValue = "1s") Duration shortestPacking,
        @Bindable(defaultValue = "60s") Duration readyWithin,
        @Bindable(defaultValue = "false") boolean accessLog) {
    public static final String PREFIX = "observatory.gateway";

    public static final Set<String> KEYS = Set.of(
            "first-list-deadline",
            "shortest-generation",
            "longest-generation",
            "shortest-packing",
            "ready-within",
            "access-log");
}
