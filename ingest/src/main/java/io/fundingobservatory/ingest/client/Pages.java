package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.client.FetchResult.Received;
import io.fundingobservatory.ingest.client.FetchResult.Unreadable;
import io.fundingobservatory.ingest.spec.VenueRequest;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one request, one after the other: those of a poll, of a contract's settled history, or of a response
 * about many contracts. A page is requested, perhaps requested once more at once, and taken; the first outcome
 * without a usable page ends the reading.
 */
public abstract class Pages {
    /** Sends requests within an allowance. */
    @FunctionalInterface
    public interface Sender {
        /** Sends one request, whose declared name is {@code endpoint}, when its pools allow it within the time. */
        FetchResult send(VenueRequest request, String endpoint, Duration mayWait) throws InterruptedException;
    }

    /** The declared name of the request. */
    protected abstract String endpoint();

    /** The request for the next page; null after the last one. */
    protected abstract @Nullable VenueRequest next();

    /** Takes a page. Returns why it cannot be used, in one line; null when it can. */
    protected abstract @Nullable String take(Received page);

    /** Whether a lost page is requested once more at once. */
    protected boolean isSentAgain() {
        return false;
    }

    /**
     * Reads pages to the last one.
     *
     * @param mayWaitMs how long the next request may wait for its allowance
     * @return the outcome of the last request; {@link Received} when no page is missing
     */
    public final FetchResult read(Sender sender, LongSupplier mayWaitMs) throws InterruptedException {
        VenueRequest request = next();
        if (request == null) {
            throw new IllegalStateException("there is no page to read");
        }
        FetchResult last;
        do {
            last = send(sender, request, mayWaitMs);
            if (last.isLost() && isSentAgain()) {
                last = send(sender, request, mayWaitMs);
            }
            if (!(last instanceof Received page)) {
                return last;
            }
            String problem = take(page);
            if (problem != null) {
                return new Unreadable(problem);
            }
            request = next();
        } while (request != null);
        return last;
    }

    private FetchResult send(Sender sender, VenueRequest request, LongSupplier mayWaitMs) throws InterruptedException {
        return sender.send(request, endpoint(), Duration.ofMillis(Math.max(0, mayWaitMs.getAsLong())));
    }
}
