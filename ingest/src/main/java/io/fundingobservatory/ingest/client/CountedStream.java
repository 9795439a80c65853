package io.fundingobservatory.ingest.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that counts the bytes read from it. */
abstract class CountedStream extends FilterInputStream {
    private long read;

    CountedStream(InputStream in) {
        super(in);
    }

    /** So many bytes have been read in all; an {@link IOException} ends the reading. */
    abstract void counted(long total) throws IOException;

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

    private void count(int more) throws IOException {
        if (more > 0) {
            read += more;
            counted(read);
        }
    }
}
