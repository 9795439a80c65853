package io.fundingobservatory.ingest.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/** A body that waits, once more of it than usual has been read, until no other such body is being read. */
final class LargeBody extends CountedStream {
    private final Semaphore one;
    private final long usual;
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
    void counted(long total) throws IOException {
        if (total > usual && !isLarge) {
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
