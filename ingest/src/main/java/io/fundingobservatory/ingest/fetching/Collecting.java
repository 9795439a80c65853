package io.fundingobservatory.ingest.fetching;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * Collects a body piece by piece up to a limit. Whoever waits may give up at any time by completing {@link #whole}.
 *
 * <p>What is given up is not cancelled but no longer asked for: the client answers a cancel by reading on to the end of the body,
 * which may never come. Unread, the connection is closed by its read timeout; only then what it still holds is taken and let go, or
 * it would never be released.
 */
final class Collecting extends BaseSubscriber<byte[]> {
    /** Ends an exchange whose answer grows beyond the limit. */
    static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLarge() {
            super("too large", null, false, false);
        }
    }

    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final int limit;

    Collecting(int limit) {
        this.limit = limit;
    }

    CompletableFuture<byte[]> whole() {
        return whole;
    }

    /** Takes and lets go what a connection that has been closed still holds of an answer that was given up. */
    void discardRest() {
        body = new ByteArrayOutputStream(0);
        request(Long.MAX_VALUE);
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        subscription.request(1);
    }

    @Override
    protected void hookOnNext(byte[] piece) {
        if (whole.isDone()) {
            return;
        }
        if (body.size() + piece.length > limit) {
            // the connection may hold on to this until its time is up
            body = new ByteArrayOutputStream(0);
            whole.completeExceptionally(new TooLarge());
            return;
        }
        body.writeBytes(piece);
        request(1);
    }

    @Override
    protected void hookOnComplete() {
        whole.complete(body.toByteArray());
    }

    @Override
    protected void hookOnError(Throwable broken) {
        whole.completeExceptionally(broken);
    }
}
