package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.spec.VenueSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalUnit;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines how long to wait after a refused request. It is the longest of three values. First: the {@code
 * Retry-After} header (RFC 9110 §10.2.3), in seconds or as an HTTP date; BTSE documents a Unix time as well.
 * Second: a header of the venue's own. Third: the time that the venue publishes for a status.
 */
final class RequiredWait {
    /** A longer time is cut to this one: a mistyped header must not silence a venue for weeks. */
    private static final Duration LONGEST = Duration.ofHours(24);

    private RequiredWait() {}

    /** Returns the longest wait of a response and its exchange's documentation; null when neither has one. */
    static @Nullable Duration of(VenueSpec venue, HttpExchange response, Instant now) {
        Stream<@Nullable Duration> required = venue.waits().stream()
                .flatMap(wait -> response.headers().entrySet().stream()
                        .filter(header -> header.getKey().startsWith(wait.prefix()))
                        .map(header -> wait(header.getValue(), wait.unit())));
        return Stream.concat(
                        Stream.of(
                                parse(response.header("retry-after"), now),
                                venue.bans().get(response.status())),
                        required)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    private static @Nullable Duration wait(String count, TemporalUnit unit) {
        return count.matches("\\d{1,9}") ? shortened(Duration.of(Long.parseLong(count), unit)) : null;
    }

    /** How long to wait; null when there is no header or it cannot be read. */
    static @Nullable Duration parse(@Nullable String header, Instant now) {
        if (header == null || header.isBlank()) {
            return null;
        }
        String text = header.strip();
        Duration wait;
        if (text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
            // rounded up: never earlier than required
            wait = Duration.ofSeconds(Long.parseLong(text.replaceAll("\\..*", "")) + (text.contains(".") ? 1 : 0));
        } else if (text.matches("\\d{10}|\\d{13}")) {
            // a wait of 30 years makes no sense: a Unix time, in seconds or in milliseconds
            long number = Long.parseLong(text);
            wait = Duration.between(
                    now, text.length() == 10 ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number));
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
        return wait.isNegative() ? Duration.ZERO : shortened(wait);
    }

    private static Duration shortened(Duration wait) {
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
