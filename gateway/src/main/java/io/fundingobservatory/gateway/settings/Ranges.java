package io.fundingobservatory.gateway.settings;

import java.time.Duration;

/** Says in a line which setting cannot be honoured. */
public final class Ranges {
    private Ranges() {}

    public static void atLeast(String key, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " is " + value + " and must be at least " + least);
        }
    }

    /** The least value is that of another setting. */
    public static void atLeast(String key, int value, String leastKey, int least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    key + " is " + value + " and must be at least " + least + ", which is " + leastKey);
        }
    }

    public static void between(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(key + " is " + value + " and must be from " + least + " to " + most);
        }
    }

    public static void between(String key, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    key + " is " + shown(value) + " and must be from " + shown(least) + " to " + shown(most));
        }
    }

    private static String shown(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
