package io.fundingobservatory.gateway.compression;

import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Compressor;
import io.fundingobservatory.gateway.core.coding.SnapshotCompression;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The codings whose bytes come from native libraries, as far as this machine can load them. */
public final class Compressors {
    private static final Logger LOG = LoggerFactory.getLogger(Compressors.class);

    /** Files are compressed once, when the process starts. */
    private static final int FILE_LEVEL = 12;

    /** The list is compressed with each snapshot: 16 ms for 12,000 rows. */
    private static final int LIST_LEVEL = 3;

    private Compressors() {}

    /** Compressors of files. */
    public static Map<Coding, Compressor> available() {
        return zstd(FILE_LEVEL);
    }

    /** Compressors of lists. */
    public static SnapshotCompression forLists() {
        return new SnapshotCompression(zstd(LIST_LEVEL));
    }

    private static Map<Coding, Compressor> zstd(int level) {
        try {
            return Map.of(Coding.ZSTD, new ZstdFrames(level));
        } catch (LinkageError e) {
            LOG.info("no zstd on this machine cause={}", e.toString());
            return Map.of();
        }
    }
}
