package io.fundingobservatory.gateway.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of snapshots, below {@code observatory.gateway}. {@code docs/operations/settings.md} has these lines.
 *
 * @param firstListDeadline how long the first snapshot waits for venues after its first row; it waits for a lag of {@code streams} without limit
 * @param generationInterval snapshot interval, 1 to 10 whole seconds; the same for all gateways
 * @param accessLog a log line for each response, with the network of the client only
 * @param securityContact {@code mailto:} or {@code https:} URI for reports of faults, served in {@code /.well-known/security.txt} (RFC 9116); empty: 404
 */
@ConfigurationProperties(GatewaySettings.PREFIX)
public record GatewaySettings(
        @Bindable(defaultValue = "60s") Duration firstListDeadline,
        @Bindable(defaultValue = "5s") Duration generationInterval,
        @Bindable(defaultValue = "false") boolean accessLog,
        @Bindable(defaultValue = "") String securityContact) {
    public static final String PREFIX = "observatory.gateway";

    public GatewaySettings {
        if (firstListDeadline.isNegative()) {
            throw new IllegalArgumentException(PREFIX + ".first-list-deadline is not below 0");
        }
        if (!securityContact.matches("((mailto:|https://)\\S+)?")) {
            throw new IllegalArgumentException(
                    PREFIX + ".security-contact is " + securityContact + " and must be a mailto: or https: URI");
        }
    }
}
