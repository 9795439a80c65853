package io.fundingobservatory.gateway.compression;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import io.fundingobservatory.gateway.core.coding.SegmentCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/**
 * Brotli meta-blocks that can stand in any order (RFC 7932 §9.2, §10). A flush ends on a byte, and a flush before the first byte makes
 * the stream header a piece of its own, so what lies between the two is meta-blocks alone.
 *
 * <p>Quality 1 is the highest at which these depend on nothing before them: it takes no matches from the static dictionary (whose
 * distances count from the stream's begin), models literals without the two bytes before them, and codes the first distance of each
 * block in full. From 2 on at least one of these ends. The price is size: 1.4 times that of gzip, hence it is sent only to
 * clients that accept no other coding, and 0.6 ms for 500 rows. The whole list in one stream at quality 4 is as long as gzip and takes 39 ms for
 * 12,000 rows, however few of them changed.
 */
final class BrotliSegments implements SegmentCompressor {
    private static final Encoder.Parameters PARAMETERS = Encoder.Parameters.create(1, 22);

    /** ISLAST and ISLASTEMPTY (RFC 7932 §9.2). */
    private static final byte[] LAST = {3};

    private final byte[] header;

    /** Needs the native library. */
    BrotliSegments() {
        Brotli4jLoader.ensureAvailability();
        header = flushed(new byte[0], 0);
    }

    @Override
    public byte[] opening() {
        return header;
    }

    @Override
    public byte[] segment(byte[] identity) {
        return flushed(identity, header.length);
    }

    @Override
    public byte[] closing(List<byte[]> identity) {
        return LAST;
    }

    private static byte[] flushed(byte[] identity, int without) {
        var out = new ByteArrayOutputStream(Math.max(64, identity.length / 6));
        try (var stream = new BrotliOutputStream(out, PARAMETERS)) {
            stream.flush();
            if (identity.length > 0) {
                stream.write(identity);
                stream.flush();
            }
            // Closing adds the last meta-block, which belongs to the joined stream.
            return Arrays.copyOfRange(out.toByteArray(), without, out.size());
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail to be written", e);
        }
    }
}
