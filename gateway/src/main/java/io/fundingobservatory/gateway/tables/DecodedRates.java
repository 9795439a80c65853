package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Rate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rates as the table thread has decoded them to see whether they can be read, for the publisher, which would otherwise decode each of
 * them again. A rate counts for the bytes that it was read from and for no others.
 */
final class DecodedRates {
    @SuppressWarnings("ArrayRecordComponent") // compared by identity: the array that the store holds
    private record Decoded(byte[] stored, Rate rate) {}

    private final Map<String, Decoded> untaken = new ConcurrentHashMap<>();

    /** The rate of a key and the bytes that the store holds of it. */
    void put(String key, byte[] stored, Rate rate) {
        untaken.put(key, new Decoded(stored, rate));
    }

    /** The store holds nothing of this key any more. */
    void remove(String key) {
        untaken.remove(key);
    }

    /**
     * The rate that these bytes are, handed over once; decoded here when it was taken before, or when the store had changed meanwhile.
     *
     * @param stored the array that the store gave for the key
     */
    @SuppressWarnings("ReferenceEquality") // the same array, not an equal one
    Rate take(String key, byte[] stored) {
        Decoded decoded = untaken.remove(key);
        if (decoded != null && decoded.stored() == stored) {
            return decoded.rate();
        }
        try {
            return Rate.CODEC.decode(stored);
        } catch (MalformedRecord e) {
            throw new IllegalStateException("only readable values are kept", e);
        }
    }

    /** How many have not been taken yet. */
    int size() {
        return untaken.size();
    }
}
