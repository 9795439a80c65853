package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.RateLimitedClient;
import io.fundingobservatory.ingest.client.RateLimitedClient.Admission;
import io.fundingobservatory.ingest.client.TrafficClass;
import io.fundingobservatory.ingest.client.VenueRequest;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * All pages of one request or, on a problem, those that came before it.
 *
 * @param requestCount how many requests were sent
 * @param problem why the rest did not come, one line; null when all are there
 */
record PagedResponse(
        List<Response> responses,
        int requestCount,
        End end,
        @Nullable String problem) {
    private static final int MOST = 100;

    /** Why no further page was requested. */
    enum End {
        /** All pages are there. */
        WHOLE,
        /** The venue does not serve the request, or its response cannot be used. */
        FAILED,
        /** No response came, which may have taken a whole deadline. */
        NO_RESPONSE,
        /** Nothing was sent: what the request needs is paused. */
        PAUSED,
        /** Nothing was sent: no allowance was left in time. */
        OUT_OF_TIME
    }

    /**
     * Requests all pages.
     *
     * @param fits whether so many bytes of all pages together can be kept
     */
    static PagedResponse fetch(
            RateLimitedClient exchange, Request request, String key, long mayWaitMs, LongPredicate fits)
            throws InterruptedException {
        long bytes = 0;
        var responses = new ArrayList<Response>();
        var seen = new HashSet<String>();
        int requestCount = 0;
        boolean second = false;
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            if (!second && (!seen.add(next.get()) || seen.size() > MOST)) {
                return new PagedResponse(responses, requestCount, End.FAILED, "its pages never end");
            }
            switch (exchange.send(
                    VenueRequest.of(request, key, next.get()), request.name(), TrafficClass.POLLS, mayWaitMs)) {
                case Admission.Paused(String reason) -> {
                    return new PagedResponse(responses, requestCount, End.PAUSED, reason);
                }
                case Admission.NoAllowance() -> {
                    return new PagedResponse(responses, requestCount, End.OUT_OF_TIME, "no allowance left in time");
                }
                case Admission.Admitted(FetchResult fetched) -> {
                    requestCount++;
                    if (fetched instanceof FetchResult.Received received) {
                        bytes += received.body().documentBytes();
                        if (!fits.test(bytes)) {
                            return new PagedResponse(
                                    List.of(), requestCount, End.FAILED, "its responses are too large to keep");
                        }
                        responses.add(new Response(key, received.body(), received.readAtMs()));
                        second = false;
                        try {
                            next = following(request, received.body());
                        } catch (Skip e) {
                            return new PagedResponse(
                                    responses, requestCount, End.FAILED, "its next page is unreadable, " + e.reason());
                        }
                    } else if (!second && mayBeTriedAgain(request, fetched)) {
                        second = true;
                    } else {
                        End end = fetched instanceof FetchResult.NoResponse ? End.NO_RESPONSE : End.FAILED;
                        return new PagedResponse(responses, requestCount, end, fetched.reason());
                    }
                }
            }
        }
        return new PagedResponse(responses, requestCount, End.WHOLE, null);
    }

    /** A lost connection would cost a minute of values: those are tried once more at once. */
    private static boolean mayBeTriedAgain(Request request, FetchResult fetched) {
        return request.priority() == Request.Priority.EACH_POLL
                && (fetched instanceof FetchResult.NoResponse
                        || (fetched instanceof FetchResult.Failed failed && failed.retryable()));
    }

    private static Optional<String> following(Request request, JsonValue body) {
        return request.nextPage() == null
                ? Optional.empty()
                : request.nextPage().apply(body);
    }
}
