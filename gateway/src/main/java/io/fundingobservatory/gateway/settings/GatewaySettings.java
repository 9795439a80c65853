package io.fundingobservatory.gateway.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of snapshots.
 *
 * @param firstListDeadline how long the first snapshot may wait for venues that have not been polled, from
 *     the first row on. It waits for streams as long as streams is behind
 * @param generationInterval the time between two snapshots, 1 to 10 whole seconds; they come at its multiples
 *     in wall-clock time
 * @param accessLog whether each response is logged, with no more of the client's address than its network
 */
@ConfigurationProperties(GatewaySettings.PREFIX)
public record GatewaySettings(
        @Bindable(defaultValue = "60s") Duration firstListDeadline,
        @Bindable(defaultValue = "5s") Duration generationInterval,
        @Bindable(defaultValue = "false") boolean accessLog) {
    public static final String PREFIX = "observatory.gateway";

    public GatewaySettings {
        if (firstListDeadline.isNegative()) {
            throw new IllegalArgumentException(PREFIX + ".first-list-deadline is not below 0");
        }
    }
}
