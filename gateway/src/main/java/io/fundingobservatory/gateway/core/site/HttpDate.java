package io.fundingobservatory.gateway.core.site;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A date as HTTP writes it (RFC 9110 §5.6.7); the last one is kept, since the next is nearly always the same second. */
public final class HttpDate {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private volatile Second last = new Second(0, FORMAT.format(Instant.EPOCH));

    private record Second(long second, String text) {}

    /** The date of an instant, epoch ms UTC. */
    public String at(long ms) {
        long second = Math.floorDiv(ms, 1_000L);
        Second known = last;
        if (known.second() != second) {
            known = new Second(second, FORMAT.format(Instant.ofEpochSecond(second)));
            last = known;
        }
        return known.text();
    }
}
