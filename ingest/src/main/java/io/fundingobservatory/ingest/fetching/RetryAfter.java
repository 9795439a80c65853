package io.fundingobservatory.ingest.fetching;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The {@code Retry-After} header (RFC 9110 §10.2.3): seconds or an HTTP date. */
final class RetryAfter {
    /** A longer time is cut to this one: a mistyped header must not silence a venue for weeks. */
    private static final Duration LONGEST = Duration.ofHours(24);

    private RetryAfter() {}

    /** How long to wait; null when there is no header or it cannot be read. */
    static @Nullable Duration parse(@Nullable String header, Instant now) {
        if (header == null || header.isBlank()) {
            return null;
        }
        String text = header.strip();
        Duration wait;
        if (text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
            // rounded up: never earlier than asked
            wait = Duration.ofSeconds(Long.parseLong(text.replaceAll("\\..*", "")) + (text.contains(".") ? 1 : 0));
        } else {
            try {
                wait = Duration.between(
                        now,
                        ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                                .toInstant());
            } catch (DateTimeException e) {
                return null;
            }
        }
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
