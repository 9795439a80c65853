package io.fundingobservatory.ingest.client;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Unpacks a gzip body piece by piece and never more of it than is allowed. Damage or more than that is an {@link IOException}. */
final class Inflation extends FilterInputStream {
    static final int MAX_INFLATED_BYTES = 32 * 1024 * 1024;
    static final int MAX_RATIO = 100;

    /** Below this size the ratio is not checked: a short list of equal rows compresses well. */
    private static final int SMALL = 64 * 1024;

    private static final int CHUNK = 16 * 1024;

    private final long allowed;
    private long left;

    private Inflation(InputStream in, long allowed) {
        super(in);
        this.allowed = allowed;
        this.left = allowed;
    }

    static InputStream gunzip(byte[] packed) throws IOException {
        long allowed = Math.min(MAX_INFLATED_BYTES, Math.max(SMALL, (long) packed.length * MAX_RATIO));
        return new Inflation(new GZIPInputStream(new ByteArrayInputStream(packed), CHUNK), allowed);
    }

    @Override
    public int read() throws IOException {
        int one = super.read();
        count(one < 0 ? 0 : 1);
        return one;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        int count = super.read(into, from, most);
        count(count);
        return count;
    }

    private void count(int read) throws IOException {
        left -= Math.max(0, read);
        if (left < 0) {
            throw new IOException("inflates to more than " + allowed + " bytes");
        }
    }
}
