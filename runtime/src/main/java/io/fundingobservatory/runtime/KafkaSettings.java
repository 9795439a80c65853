package io.fundingobservatory.runtime;

import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;

/** Access to the brokers as a service's environment configures it. */
public final class KafkaSettings {
    private KafkaSettings() {}

    /**
     * Reads {@code observatory.kafka.*} from files, arguments and environment variables.
     *
     * @throws IllegalArgumentException with one line, when a key is unknown or a number is unreadable
     */
    public static KafkaAccess read(Environment environment) {
        return KafkaAccess.of(
                key -> environment
                        .getProperty(KafkaAccess.PREFIX + "." + key, String.class)
                        .orElse(null),
                environment.getPropertyEntries(KafkaAccess.PREFIX),
                environment.getProperties(KafkaAccess.PREFIX + ".client", StringConvention.RAW),
                System.getenv());
    }
}
