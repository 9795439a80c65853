package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.Rate;
import java.util.Arrays;

/**
 * A row and its bytes in a response.
 *
 * @param rate the row
 * @param json the row as {@link Rate#CODEC} writes it; shared, never changed
 */
@SuppressWarnings("ArrayRecordComponent") // bytes that are served as they are; never compared
public record EncodedRow(Rate rate, byte[] json) {
    /** A row of a table. Where its bytes there are those of a response, as a rule, they serve as both. */
    public static EncodedRow stored(Rate rate, byte[] stored) {
        byte[] json = Rate.CODEC.encode(rate);
        return new EncodedRow(rate, Arrays.equals(json, stored) ? stored : json);
    }

    static EncodedRow of(Rate rate) {
        return new EncodedRow(rate, Rate.CODEC.encode(rate));
    }

    EncodedRow asOf(long nowMs) {
        Rate then = rate.asOf(nowMs);
        return then.stale() == rate.stale() ? this : of(then);
    }
}
