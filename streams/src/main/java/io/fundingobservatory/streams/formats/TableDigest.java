package io.fundingobservatory.streams.formats;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.kafka.common.utils.Bytes;

/**
 * By what a published table is known again.
 *
 * @param windowEndMs the end of its window, epoch ms
 * @param digest SHA-256 of its bytes
 */
public record TableDigest(long windowEndMs, Bytes digest) {
    private static final int DIGEST_BYTES = 32;

    public static final Format<TableDigest> FORMAT = new Format<>(
            "table-digest",
            1,
            (mark, to) -> {
                to.writeLong(mark.windowEndMs);
                to.write(mark.digest.get());
            },
            from -> {
                long windowEndMs = from.readLong();
                byte[] digest = new byte[DIGEST_BYTES];
                from.readFully(digest);
                return new TableDigest(windowEndMs, Bytes.wrap(digest));
            });

    public static TableDigest of(long windowEndMs, byte[] table) {
        try {
            return new TableDigest(
                    windowEndMs, Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(table)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
