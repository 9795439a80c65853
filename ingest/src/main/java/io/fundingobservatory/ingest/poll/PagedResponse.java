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
import org.jspecify.annotations.Nullable;

/**
 * All pages of one request or, on a problem, those that came before it.
 *
 * @param requestCount how many requests were sent
 * @param problem why the rest did not come, one line; null when all are there
 * @param outOfTime whether the problem is only that no allowance was left in time
 */
record PagedResponse(
        List<Response> responses,
        int requestCount,
        @Nullable String problem,
        boolean outOfTime) {
    private static final int MOST = 100;

    /** Requests all pages, which together may take so many bytes of memory. */
    static PagedResponse fetch(RateLimitedClient exchange, Request request, String key, long mayWaitMs, long mostBytes)
            throws InterruptedException {
        long bytesLeft = mostBytes;
        var responses = new ArrayList<Response>();
        var seen = new HashSet<String>();
        int requestCount = 0;
        boolean second = false;
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            if (!second && (!seen.add(next.get()) || seen.size() > MOST)) {
                return new PagedResponse(responses, requestCount, "its pages never end", false);
            }
            switch (exchange.send(
                    VenueRequest.of(request, key, next.get()), request.name(), TrafficClass.RATES, mayWaitMs)) {
                case Admission.Paused(String reason) -> {
                    return new PagedResponse(responses, requestCount, reason, false);
                }
                case Admission.NoAllowance() -> {
                    return new PagedResponse(responses, requestCount, "no allowance left in time", true);
                }
                case Admission.Admitted(FetchResult fetched) -> {
                    requestCount++;
                    if (fetched instanceof FetchResult.Received received) {
                        bytesLeft -= received.body().documentBytes();
                        if (bytesLeft < 0) {
                            return new PagedResponse(
                                    List.of(), requestCount, "its responses are too large to keep", false);
                        }
                        responses.add(new Response(key, received.body(), received.readAtMs()));
                        second = false;
                        try {
                            next = following(request, received.body());
                        } catch (Skip e) {
                            return new PagedResponse(
                                    responses, requestCount, "its next page is unreadable, " + e.reason(), false);
                        }
                    } else if (!second && mayBeTriedAgain(request, fetched)) {
                        second = true;
                    } else {
                        return new PagedResponse(responses, requestCount, fetched.reason(), false);
                    }
                }
            }
        }
        return new PagedResponse(responses, requestCount, null, false);
    }

    /** A lost connection would cost a minute of values: those are tried once more at once. */
    private static boolean mayBeTriedAgain(Request request, FetchResult fetched) {
        return request.priority() == Request.Priority.RATES
                && fetched instanceof FetchResult.Failed failed
                && failed.retryable();
    }

    private static Optional<String> following(Request request, JsonValue body) {
        return request.nextPage() == null
                ? Optional.empty()
                : request.nextPage().apply(body);
    }
}
