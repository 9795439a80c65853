package io.fundingobservatory.ingest.fetching;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** Unpacks a gzip body without ever holding more of it than is allowed. */
final class Inflation {
    static final int MAX_INFLATED_BYTES = 32 * 1024 * 1024;
    static final int MAX_RATIO = 100;

    /** Below this size the ratio says nothing: a short list of equal rows compresses well. */
    private static final int SMALL = 64 * 1024;

    private Inflation() {}

    /** What was packed; an {@link IOException} when it is damaged or more than is allowed. */
    static byte[] gunzip(byte[] packed) throws IOException {
        long allowed = Math.min(MAX_INFLATED_BYTES, Math.max(SMALL, (long) packed.length * MAX_RATIO));
        try (var in = new GZIPInputStream(new ByteArrayInputStream(packed), 16 * 1024)) {
            var out = new ByteArrayOutputStream((int) Math.min(allowed, 8L * packed.length));
            byte[] chunk = new byte[16 * 1024];
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                if (out.size() + (long) n > allowed) {
                    throw new IOException("inflates to more than " + allowed + " bytes");
                }
                out.write(chunk, 0, n);
            }
            return out.toByteArray();
        }
    }
}
