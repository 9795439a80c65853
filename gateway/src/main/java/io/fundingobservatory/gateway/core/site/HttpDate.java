package io.fundingobservatory.gateway.core.site;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A date as HTTP writes it (RFC 9110 §5.6.7). */
public final class HttpDate {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private HttpDate() {}

    /** The date of an instant, epoch ms UTC. */
    public static String at(long ms) {
        return FORMAT.format(Instant.ofEpochMilli(ms));
    }
}
