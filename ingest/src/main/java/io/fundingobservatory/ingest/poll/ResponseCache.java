package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The last responses to requests that are not sent in every poll, how long they count, and when they are due
 * again.
 */
final class ResponseCache {
    private static final Duration LISTS_KEPT = Duration.ofDays(1);
    private static final Duration SELDOM_KEPT = Duration.ofDays(3);
    private static final Duration KEYED_RATES_KEPT = Duration.ofMinutes(3);
    private static final Duration HALF_AN_INTERVAL = Duration.ofSeconds(30);
    private static final Duration DOUBTED_AT_MOST_EVERY = Duration.ofMinutes(5);

    /** No exchange lists a single contract; a list may be wrapped in objects. */
    private static final int FEWEST_LISTED = 2;

    private static final int SHRUNK = 10;

    /** What is remembered of a request, or of one key of it. */
    static final class Entry {
        private List<Response> responses = List.of();
        private long goodAtMs = Long.MIN_VALUE;
        private long requestedAtMs = Long.MIN_VALUE;
        private long dueAtMs = Long.MIN_VALUE;
        private @Nullable String problem;

        List<Response> responses() {
            return responses;
        }

        /** Why a newer list is not taken for one, and this one is still used; null when there is none. */
        @Nullable
        String problem() {
            return problem;
        }

        /** When it was last requested, with or without success. */
        long requestedAtMs() {
            return requestedAtMs;
        }
    }

    private final Time time;
    private final RandomGenerator random;
    private final Map<String, Map<String, Entry>> memories = new HashMap<>();

    ResponseCache(Time time, RandomGenerator random) {
        this.time = time;
        this.random = random;
    }

    /** The memory of a plain request (the key is empty then), or of one key of an expansion. */
    Entry of(Request request, String key) {
        return byKey(request).computeIfAbsent(key, k -> new Entry());
    }

    /** The memories of all keys of an expansion. */
    Collection<Entry> of(Request request) {
        return byKey(request).values();
    }

    private Map<String, Entry> byKey(Request request) {
        return memories.computeIfAbsent(request.name(), n -> new LinkedHashMap<>());
    }

    /** Forgets the keys that are gone. */
    void retain(Request request, Set<String> keys) {
        byKey(request).keySet().retainAll(keys);
    }

    boolean isDue(Entry memory) {
        return time.elapsedMs() >= memory.dueAtMs;
    }

    /** Whether the last good response still counts. */
    boolean isAvailable(Entry memory, Request request) {
        Duration kept = request.isFrequent()
                ? KEYED_RATES_KEPT.plus(request.every())
                : request.every().compareTo(LISTS_KEPT) < 0 ? LISTS_KEPT : SELDOM_KEPT;
        return memory.goodAtMs != Long.MIN_VALUE && time.elapsedMs() - memory.goodAtMs <= kept.toMillis();
    }

    /** Whether its last good response is older; false when it has none. */
    boolean isOlderThan(Entry memory, long ms) {
        return memory.goodAtMs != Long.MIN_VALUE && time.elapsedMs() - memory.goodAtMs > ms;
    }

    /** Makes lists due again, except those that were requested a few minutes ago. */
    void doubt(List<Request> requests) {
        for (Request request : requests) {
            Entry memory = of(request, "");
            if (time.elapsedMs() - memory.goodAtMs >= DOUBTED_AT_MOST_EVERY.toMillis()) {
                memory.dueAtMs = time.elapsedMs();
            }
        }
    }

    void tried(Entry memory) {
        memory.requestedAtMs = time.elapsedMs();
    }

    /**
     * Returns why a response is not a valid instrument list: it is empty, or less than a tenth of the
     * available one. A venue that restarts sends such lists. Without this check, no contract would be listed
     * for an hour.
     *
     * @return null when it is valid
     */
    @Nullable
    String unlikeAList(Entry memory, Request request, List<Response> responses) {
        long now = elements(responses);
        long before = isAvailable(memory, request) ? elements(memory.responses) : 0;
        return now < FEWEST_LISTED
                ? "its list is empty"
                : now * SHRUNK < before ? "its list has " + now + " elements instead of " + before : null;
    }

    private static long elements(List<Response> responses) {
        return responses.stream()
                .mapToLong(response -> response.body().longestList())
                .sum();
    }

    /**
     * Keeps the available responses and sends the request again some minutes later. Without an available
     * response, the next poll sends it.
     */
    void keep(Entry memory, Request request, String problem) {
        memory.problem = problem;
        if (isAvailable(memory, request)) {
            memory.dueAtMs = time.elapsedMs() + DOUBTED_AT_MOST_EVERY.toMillis();
        }
    }

    void remember(Entry memory, Request request, List<Response> responses) {
        long now = time.elapsedMs();
        boolean first = memory.goodAtMs == Long.MIN_VALUE;
        memory.responses = List.copyOf(responses);
        memory.goodAtMs = now;
        memory.problem = null;
        // due in the middle between two polls, so that it is requested in the n-th poll and not in the one after
        long period = request.isFrequent()
                ? Math.max(0, request.every().minus(HALF_AN_INTERVAL).toMillis())
                : request.every().toMillis();
        // up to a tenth earlier, so that the responses of the start do not all come due together; values that rest for
        // some minutes are spread over them at once
        double spread = first && request.isFrequent() ? 1 : 0.1;
        memory.dueAtMs = now + period - (long) (period * random.nextDouble() * spread);
    }
}
