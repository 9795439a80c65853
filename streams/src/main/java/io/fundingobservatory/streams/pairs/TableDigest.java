package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.topics.json.JsonCodec;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

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

    public TableDigest outdate() {
        return new TableDigest(windowEndMs, digest, true);
    }

    /** Whether both are of the same bytes. */
    public boolean isOfSameTable(TableDigest other) {
        return windowEndMs == other.windowEndMs && digest.equals(other.digest);
    }

    public static TableDigest of(long windowEndMs, byte[] table) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(table);
            return new TableDigest(windowEndMs, HexFormat.of().formatHex(digest), false);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
