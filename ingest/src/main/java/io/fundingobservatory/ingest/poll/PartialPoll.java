package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.RateLimitedClient;
import io.fundingobservatory.ingest.client.RequestCost;
import io.fundingobservatory.ingest.poll.ResponseCache.Entry;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One partial poll: the responses available so far, and the requests that failed. */
final class PartialPoll {
    private static final long LONGEST_WAIT_MS = 60_000;

    /** All responses of one exchange together; the recorded ones of the largest take 1.2 MB, and a list is there twice while it is renewed. */
    private static final long MOST_BYTES = 16 * 1024 * 1024;

    private final List<Request> requests;
    private final RateLimitedClient exchange;
    private final ResponseCache last;
    private final Map<String, List<Response>> plain = new LinkedHashMap<>();
    private final List<String> missing = new ArrayList<>();
    private final Map<String, Integer> rateCost = new HashMap<>();
    private boolean fresh;
    private boolean ratesWereDue;
    private int requestCount;

    PartialPoll(List<Request> requests, RateLimitedClient exchange, ResponseCache last) {
        this.requests = requests;
        this.exchange = exchange;
        this.last = last;
    }

    /** A list: the last one as long as none is due or the new one does not come. */
    void list(Request request) throws InterruptedException {
        Entry memory = last.of(request, "");
        String problem = null;
        if (last.isDue(memory)) {
            PagedResponse pages = fetch(request, "", LONGEST_WAIT_MS);
            problem = pages.problem();
            String unlike = problem == null ? last.unlikeAList(memory, request, pages.responses()) : null;
            if (unlike != null) {
                problem = unlike;
                last.keep(memory, request, unlike);
            } else if (problem == null) {
                last.remember(memory, request, pages.responses());
            }
        }
        if (!last.isAvailable(memory, request)) {
            String why = problem == null ? memory.problem() : problem;
            missing(request, Objects.requireNonNullElse(why, "no response that counts"));
            return;
        }
        plain.put(request.name(), memory.responses());
        if (memory.problem() != null) {
            missing(request, memory.problem() + ", the one before is used");
        }
    }

    void rates(Request request) throws InterruptedException {
        PagedResponse pages = fetch(request, "", LONGEST_WAIT_MS);
        // the pages that came are good values even when a later one did not
        if (!pages.responses().isEmpty()) {
            plain.put(request.name(), pages.responses());
            fresh = true;
        }
        if (pages.problem() != null) {
            missing(request, pages.problem());
        }
    }

    /** One key of an expansion. */
    PagedResponse keyed(Request request, String key, Entry memory, long mayWaitMs) throws InterruptedException {
        PagedResponse pages = fetch(request, key, mayWaitMs);
        if (!pages.outOfTime()) {
            last.tried(memory);
        }
        if (pages.problem() == null) {
            last.remember(memory, request, pages.responses());
            fresh |= request.isFrequent();
        }
        return pages;
    }

    private PagedResponse fetch(Request request, String key, long mayWaitMs) throws InterruptedException {
        PagedResponse pages = PagedResponse.fetch(exchange, request, key, mayWaitMs, MOST_BYTES - availableBytes());
        requestCount += pages.requestCount();
        addRateCost(request, pages.requestCount());
        return pages;
    }

    /**
     * Counts a rate that was due and lacked only time or allowance for its request. It counts as a cost of
     * rates. Otherwise history would take what the rates failed to get, and every later poll would have as
     * little.
     */
    void lackedAllowance(Request request) {
        addRateCost(request, 1);
    }

    /** Counts what the request of a due rate has cost, also when it was paused before it was sent. */
    private void addRateCost(Request request, int times) {
        if (request.isFrequent()) {
            ratesWereDue = true;
            RequestCost.of(request).forEach((pool, units) -> rateCost.merge(pool, times * units, Integer::sum));
        }
    }

    private long availableBytes() {
        long bytes = plain.values().stream().mapToLong(PartialPoll::bytes).sum();
        for (Request request : requests) {
            for (Entry memory : last.of(request)) {
                // an available list is counted above
                bytes += plain.containsKey(request.name()) ? 0 : bytes(memory.responses());
            }
        }
        return bytes;
    }

    private static long bytes(List<Response> responses) {
        long bytes = 0;
        for (Response response : responses) {
            bytes += response.body().documentBytes();
        }
        return bytes;
    }

    void missing(Request request, String problem) {
        missing.add(request.name() + ": " + problem);
    }

    /** What the requests for rates cost, by pool, with those that lacked allowance. */
    Map<String, Integer> rateCost() {
        return Map.copyOf(rateCost);
    }

    /** Returns all available responses. */
    VenueResponses assemble() {
        var responses = new VenueResponses();
        plain.forEach((name, of) -> of.forEach(a -> responses.add(name, a)));
        for (Request request : requests) {
            if (request.keys() != null) {
                for (Entry memory : last.of(request)) {
                    if (last.isAvailable(memory, request)) {
                        memory.responses().forEach(a -> responses.add(request.name(), a));
                    }
                }
            }
        }
        return responses;
    }

    /** Drops the values that no further request needs: those of all exchanges together are most of the heap. */
    void dropRates() {
        requests.stream().filter(Request::isFrequent).forEach(r -> plain.remove(r.name()));
    }

    PollResponses responses() {
        VenueResponses responses = assemble();
        return new PollResponses(responses, fresh || !ratesWereDue, readAtMs(responses), requestCount, missing);
    }

    /** Returns when the oldest available rate was read. */
    private @Nullable Long readAtMs(VenueResponses responses) {
        Long oldest = null;
        for (Request request : requests) {
            if (request.isFrequent()) {
                for (Response response : responses.all(request.name())) {
                    oldest = oldest == null ? response.readAtMs() : Math.min(oldest, response.readAtMs());
                }
            }
        }
        return oldest;
    }
}
