package io.fundingobservatory.gateway.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

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
        boolean contact = securityContact.matches("((mailto:|https://)\\S+)?");
        check(PREFIX + ".security-contact", securityContact, contact, "a mailto: or https: URI");
    }

    static void atLeast(String key, int value, int least) {
        check(key, value, value >= least, "at least " + least);
    }

    static <T extends Comparable<T>> void between(String key, T value, T least, T most) {
        check(
                key,
                value,
                value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                "from " + shown(least) + " to " + shown(most));
    }

    /** Says in a line which setting cannot be used. */
    static void check(String key, Object value, boolean usable, String usableValues) {
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
