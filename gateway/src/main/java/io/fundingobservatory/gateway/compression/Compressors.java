package io.fundingobservatory.gateway.compression;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Compressor;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.ListCompression;
import io.fundingobservatory.gateway.core.coding.SegmentCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The codings whose bytes come from native libraries, as far as this machine can load them. */
public final class Compressors {
    private static final Logger LOG = LoggerFactory.getLogger(Compressors.class);

    // Files are compressed once, when the process starts.
    private static final int FILE_BROTLI_QUALITY = 9;
    private static final int FILE_ZSTD_LEVEL = 12;

    private Compressors() {}

    private interface Coder {
        OutputStream over(OutputStream out) throws IOException;
    }

    /** Compressors of files. */
    public static Map<Coding, Compressor> available() {
        var compressors = new EnumMap<Coding, Compressor>(Coding.class);
        if (zstd()) {
            compressors.put(
                    Coding.ZSTD,
                    identity -> compressed(identity, out -> new ZstdOutputStreamNoFinalizer(out, FILE_ZSTD_LEVEL)));
        }
        if (brotli()) {
            var parameters = Encoder.Parameters.create(FILE_BROTLI_QUALITY);
            compressors.put(
                    Coding.BR, identity -> compressed(identity, out -> new BrotliOutputStream(out, parameters)));
        }
        return compressors;
    }

    /** Compressors of lists, exchange by exchange. */
    public static ListCompression forLists() {
        var compressors = new EnumMap<Coding, SegmentCompressor>(Coding.class);
        if (zstd()) {
            compressors.put(Coding.ZSTD, new ZstdSegments());
        }
        if (brotli()) {
            compressors.put(Coding.BR, new BrotliSegments());
        }
        return ListCompression.withGzipAnd(compressors);
    }

    private static boolean zstd() {
        try {
            return Zstd.compress(new byte[1]).length > 0;
        } catch (LinkageError e) {
            LOG.info("no zstd on this machine cause={}", e.toString());
            return false;
        }
    }

    private static boolean brotli() {
        if (!Brotli4jLoader.isAvailable()) {
            LOG.info(
                    "no brotli on this machine cause={}",
                    Brotli4jLoader.getUnavailabilityCause().toString());
        }
        return Brotli4jLoader.isAvailable();
    }

    private static byte[] compressed(List<byte[]> identity, Coder coder) {
        var out = new ByteArrayOutputStream(Math.max(512, (int) (Content.length(identity) / 8)));
        try (OutputStream packing = coder.over(out)) {
            for (byte[] piece : identity) {
                packing.write(piece);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail to be written", e);
        }
        return out.toByteArray();
    }
}
