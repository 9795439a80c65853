package io.fundingobservatory.streams.topology;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.utils.Bytes;

/**
 * By what a published table is known again.
 *
 * @param windowEndMs the end of its window, epoch ms
 * @param digest SHA-256 of its bytes
 */
record TableMark(long windowEndMs, Bytes digest) {
    private static final int DIGEST_BYTES = 32;

    static TableMark of(long windowEndMs, byte[] table) {
        try {
            return new TableMark(
                    windowEndMs, Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(table)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static Serde<TableMark> serde() {
        return Binary.serde(
                (mark, to) -> to.write(ByteBuffer.allocate(Long.BYTES + DIGEST_BYTES)
                        .putLong(mark.windowEndMs)
                        .put(mark.digest.get())
                        .array()),
                from -> {
                    long windowEndMs = from.readLong();
                    byte[] digest = new byte[DIGEST_BYTES];
                    from.readFully(digest);
                    return new TableMark(windowEndMs, Bytes.wrap(digest));
                });
    }
}
