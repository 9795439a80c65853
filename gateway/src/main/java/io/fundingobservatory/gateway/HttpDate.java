package io.fundingobservatory.gateway;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The {@code Date} field's value, written once a second. */
final class HttpDate {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private volatile Second last = new Second(0, FORMAT.format(Instant.EPOCH));

    private record Second(long second, String text) {}

    String at(long nowMs) {
        long second = nowMs / 1_000;
        Second known = last;
        if (known.second() != second) {
            known = new Second(second, FORMAT.format(Instant.ofEpochSecond(second)));
            last = known;
        }
        return known.text();
    }
}
