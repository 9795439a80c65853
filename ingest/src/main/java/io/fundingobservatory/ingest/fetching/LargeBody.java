package io.fundingobservatory.ingest.fetching;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/** A body that waits, once more of it than usual has been read, until no other such body is being read. */
final class LargeBody extends FilterInputStream {
    private final Semaphore one;
    private final long usual;
    private long read;
    private boolean isLarge;

    /**
     * A body.
     *
     * @param usual bytes that may be read at any time
     * @param one taken while more than that is read, until the body is closed
     */
    LargeBody(InputStream body, long usual, Semaphore one) {
        super(body);
        this.usual = usual;
        this.one = one;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        count(next < 0 ? 0 : 1);
        return next;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        int count = super.read(into, from, most);
        count(Math.max(0, count));
        return count;
    }

    private void count(int more) throws IOException {
        read += more;
        if (read > usual && !isLarge) {
            try {
                one.acquire();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
            isLarge = true;
        }
    }

    @Override
    public void close() throws IOException {
        if (isLarge) {
            isLarge = false;
            one.release();
        }
        super.close();
    }
}
