package io.fundingobservatory.gateway.settings;

import java.time.Duration;

/** Says in a line which setting cannot be used. */
final class Ranges {
    private Ranges() {}

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
