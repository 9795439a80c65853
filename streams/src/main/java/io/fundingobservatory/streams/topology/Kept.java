package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.core.Age;
import io.fundingobservatory.topics.MalformedRecord;
import io.fundingobservatory.topics.Rate;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;

/**
 * What the store knows of a contract: its newest observation, and as what {@code rates.latest} shows it.
 *
 * <p>In the store: one byte for how it is shown, eight for when it was read, then the rate as on the topic. So the question that
 * every quote asks, which of two is newer, needs no JSON.
 */
record Kept(Age shown, long observedAtMs, Bytes json) {
    private static final int HEAD = 1 + Long.BYTES;

    static Kept of(Age shown, Rate rate) {
        return new Kept(shown, rate.observedAtMs(), Bytes.wrap(Rate.CODEC.encode(rate)));
    }

    Kept shownAs(Age age) {
        return new Kept(age, observedAtMs, json);
    }

    Rate rate() {
        try {
            return Rate.CODEC.decode(json.get());
        } catch (MalformedRecord e) {
            throw new SerializationException("the store holds what it never wrote: " + e.getMessage(), e);
        }
    }

    static Serde<Kept> serde() {
        return Serdes.serdeFrom(
                (topic, kept) -> kept == null ? null : kept.write(),
                (topic, bytes) -> bytes == null ? null : read(bytes));
    }

    private byte[] write() {
        byte[] rate = json.get();
        return ByteBuffer.allocate(HEAD + rate.length)
                .put(code(shown))
                .putLong(observedAtMs)
                .put(rate)
                .array();
    }

    private static Kept read(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        Age shown = age(buffer.get());
        long observedAtMs = buffer.getLong();
        byte[] rate = new byte[buffer.remaining()];
        buffer.get(rate);
        return new Kept(shown, observedAtMs, Bytes.wrap(rate));
    }

    private static byte code(Age shown) {
        return switch (shown) {
            case FRESH -> 0;
            case STALE -> 1;
            case GONE, FORGOTTEN -> 2;
        };
    }

    private static Age age(byte code) {
        return switch (code) {
            case 0 -> Age.FRESH;
            case 1 -> Age.STALE;
            default -> Age.GONE;
        };
    }
}
