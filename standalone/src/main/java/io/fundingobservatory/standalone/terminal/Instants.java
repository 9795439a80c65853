package io.fundingobservatory.standalone.terminal;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Instants that people name in options. */
public final class Instants {
    /** The form of an instant, for the description of an option. */
    public static final String FORM = "RFC 3339 (2026-11-25T13:00:00Z) or epoch milliseconds";

    private static final Pattern EPOCH_MS = Pattern.compile("[0-9]{13}");

    private Instants() {}

    /**
     * Returns the instant that the option {@code --at} names.
     *
     * @param at RFC 3339, or 13 digits of epoch milliseconds
     * @throws Stop when it is neither
     */
    public static Instant parse(String at) {
        try {
            return EPOCH_MS.matcher(at).matches() ? Instant.ofEpochMilli(Long.parseLong(at)) : Instant.parse(at);
        } catch (DateTimeException e) {
            throw new Stop("--at is an instant such as 2026-11-25T13:00:00Z or 1790000000000, not " + at);
        }
    }

    /** The same; now where the option is not given. */
    public static Instant orNow(@Nullable String at) {
        return at == null ? Instant.now() : parse(at);
    }
}
