package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.carry.Receipt;
import io.fundingobservatory.topics.json.JsonCodec;

/**
 * By what a published table is known again. A change of the arithmetic gives the store another name: tables are then computed and
 * published again.
 *
 * @param windowEndMs the end of its window, epoch ms
 * @param digest SHA-256 of its bytes, hex
 * @param outdated whether anything that it is made of has changed since
 */
public record TableDigest(long windowEndMs, String digest, boolean outdated) {
    public static final JsonCodec<TableDigest> CODEC = JsonCodec.stored(TableDigest.class);

    static TableDigest of(long windowEndMs, byte[] table) {
        return new TableDigest(windowEndMs, Receipt.of(table), false);
    }
}
