package io.fundingobservatory.streams.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.MalformedRecord;
import io.fundingobservatory.topics.Quote;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the bytes of a record on {@code quotes.raw} turn out to be. */
public sealed interface QuoteReading {
    String NO_KEY = "no_key";
    String NO_VALUE = "no_value";
    String UNKNOWN_SCHEMA = "unknown_schema";
    String UNREADABLE = "unreadable";
    String KEY_MISMATCH = "key_mismatch";

    /** A quote, under the key of its own contract. */
    record Read(Quote quote) implements QuoteReading {}

    /**
     * Not a quote of this schema, or not under its own key.
     *
     * @param reason one of a small closed vocabulary
     * @param detail what exactly, for people; never a value that was sent
     */
    record Unreadable(String reason, String detail) implements QuoteReading {}

    /**
     * Reads one record.
     *
     * @param schema the record's schema header; null when it has none, which counts as the current one
     */
    static QuoteReading read(byte @Nullable [] key, byte @Nullable [] value, byte @Nullable [] schema) {
        if (key == null) {
            return new Unreadable(NO_KEY, "a quote is keyed by venue|symbol");
        }
        if (value == null) {
            return new Unreadable(NO_VALUE, "an event stream has no tombstones");
        }
        if (schema != null && !new String(schema, UTF_8).equals(Quote.CODEC.schemaId())) {
            return new Unreadable(UNKNOWN_SCHEMA, "this reader knows " + Quote.CODEC.schemaId());
        }
        try {
            Quote quote = Quote.CODEC.decode(value);
            byte[] ownKey = (quote.venue() + '|' + quote.symbol()).getBytes(UTF_8);
            return Arrays.equals(key, ownKey)
                    ? new Read(quote)
                    : new Unreadable(KEY_MISMATCH, "the key is not the value's venue|symbol in UTF-8");
        } catch (MalformedRecord e) {
            return new Unreadable(UNREADABLE, String.valueOf(e.getMessage()));
        }
    }
}
