package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.formats.Format;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.kafka.common.utils.Bytes;

/**
 * By what a published table is known again. A change of the arithmetic gives the format a new version: what cannot be read is computed
 * again at the next start.
 *
 * @param windowEndMs the end of its window, epoch ms
 * @param digest SHA-256 of its bytes
 * @param outdated whether anything that it is made of has changed since
 */
public record TableDigest(long windowEndMs, Bytes digest, boolean outdated) {
    public static final Format<TableDigest> FORMAT = Format.of("table-digest", 3, TableDigest.class);

    /** Of a published table that an earlier process made, whose digest was lost. */
    static final TableDigest UNKNOWN = new TableDigest(0, Bytes.wrap(new byte[0]), true);

    public TableDigest outdate() {
        return new TableDigest(windowEndMs, digest, true);
    }

    /** Whether both are of the same bytes. */
    public boolean isOfSameTable(TableDigest other) {
        return windowEndMs == other.windowEndMs && digest.equals(other.digest);
    }

    public static TableDigest of(long windowEndMs, byte[] table) {
        try {
            return new TableDigest(
                    windowEndMs, Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(table)), false);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
