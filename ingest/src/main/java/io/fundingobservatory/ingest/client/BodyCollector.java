package io.fundingobservatory.ingest.client;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * Collects a body piece by piece up to a limit. Completing {@link #whole} abandons it.
 *
 * <p>An abandoned body is not cancelled: on a cancel, the client (Micronaut 4.10) reads on to the end of the body,
 * which may never come. Without further demand, its read timeout closes the connection. Then the buffers that it
 * still holds are drained, which releases them.
 */
final class BodyCollector extends BaseSubscriber<byte[]> {
    /** Ends an HTTP exchange whose body grows beyond the limit. */
    static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLarge() {
            super("too large", null, false, false);
        }
    }

    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final int limit;

    BodyCollector(int limit) {
        this.limit = limit;
    }

    CompletableFuture<byte[]> whole() {
        return whole;
    }

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
