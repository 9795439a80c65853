package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Request.Priority;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A declared request with one of its keys: its last good responses, how long they count, and when it is due again.
 * Times are {@link io.fundingobservatory.ingest.client.Time#elapsedMs()}.
 */
final class QueuedRequest {
    private static final Duration LISTS_KEPT = Duration.ofDays(1);
    private static final Duration SELDOM_KEPT = Duration.ofDays(3);
    private static final Duration RATES_KEPT = Duration.ofMinutes(3);
    private static final Duration HALF_AN_INTERVAL = Duration.ofSeconds(30);
    private static final Duration DOUBTED_AT_MOST_EVERY = Duration.ofMinutes(5);

    /** No exchange lists a single contract; a list may be wrapped in objects. */
    private static final int FEWEST_LISTED = 2;

    private static final int SHRUNK = 10;

    /** Before any time. */
    static final long NEVER = Long.MIN_VALUE;

    private final Request request;
    private final String key;
    private List<Response> responses = List.of();
    private long goodAtMs = NEVER;
    private long requestedAtMs = NEVER;
    private long dueAtMs = NEVER;
    private @Nullable String problem;
    private boolean failed;

    /** A request that has not been sent; the key is empty for a plain one. */
    QueuedRequest(Request request, String key) {
        this.request = request;
        this.key = key;
    }

    Request request() {
        return request;
    }

    String key() {
        return key;
    }

    List<Response> responses() {
        return responses;
    }

    /** Why there is no newer list, and this one is still used; null when there is none. */
    @Nullable
    String problem() {
        return problem;
    }

    boolean isDue(long nowMs) {
        return nowMs >= dueAtMs;
    }

    /** When its value was due, so that the oldest request comes first; {@link #NEVER} when it was never sent. */
    long orderMs() {
        return requestedAtMs == NEVER ? NEVER : requestedAtMs + request.every().toMillis();
    }

    /** Whether it is due in each poll, so that it may be sent in every second one for a while. */
    boolean mayRest() {
        return request.every().isZero();
    }

    boolean isAvailable(long nowMs) {
        Duration kept = request.isFrequent()
                ? RATES_KEPT.plus(request.every())
                : request.every().compareTo(LISTS_KEPT) < 0 ? LISTS_KEPT : SELDOM_KEPT;
        return !responses.isEmpty() && !isOlderThan(kept.toMillis(), nowMs);
    }

    /** Whether its last good responses are older; false when it has none. */
    boolean isOlderThan(long ms, long nowMs) {
        return goodAtMs != NEVER && nowMs - goodAtMs > ms;
    }

    long bytes() {
        long bytes = 0;
        for (Response response : responses) {
            bytes += response.body().documentBytes();
        }
        return bytes;
    }

    void sent(long nowMs) {
        requestedAtMs = nowMs;
    }

    /** Takes the rates of one poll, which are due again in the next. */
    void take(List<Response> rates, long nowMs) {
        responses = List.copyOf(rates);
        goodAtMs = nowMs;
    }

    /** Forgets the last good responses: rates must not be used twice, and a list may be in the way of its successor. */
    void forget() {
        responses = List.of();
    }

    /** Keeps good responses until the request is due again, a little earlier than declared at most. */
    void keep(List<Response> good, long nowMs, RandomGenerator random) {
        boolean first = goodAtMs == NEVER;
        take(good, nowMs);
        problem = null;
        failed = false;
        // due in the middle between two polls, so that it is requested in the n-th poll and not in the one after
        long period = request.isFrequent()
                ? Math.max(0, request.every().minus(HALF_AN_INTERVAL).toMillis())
                : request.every().toMillis();
        // up to a tenth earlier, so that the responses of the start do not all come due together; values that rest for
        // some minutes are spread over them at once
        double spread = first && request.isFrequent() ? 1 : 0.1;
        dueAtMs = nowMs + period - (long) (period * random.nextDouble() * spread);
    }

    /**
     * Keeps a new list in place of the last one, unless it is empty or has less than a tenth of the elements. A venue
     * that restarts sends such lists. Without this check, no contract would be listed for an hour. The last list then
     * counts on, and the request is due some minutes later. Without an available list it is due in the next poll.
     *
     * @return why the new one is not valid; null when it is kept
     */
    @Nullable
    String renew(List<Response> list, long nowMs, RandomGenerator random) {
        long now = elements(list);
        long before = isAvailable(nowMs) ? elements(responses) : 0;
        if (now >= FEWEST_LISTED && now * SHRUNK >= before) {
            keep(list, nowMs, random);
            return null;
        }
        problem = now < FEWEST_LISTED ? "its list is empty" : "its list has " + now + " elements instead of " + before;
        if (isAvailable(nowMs)) {
            dueAtMs = nowMs + DOUBTED_AT_MOST_EVERY.toMillis();
        }
        return problem;
    }

    /** A newer list did not come. That is a problem from the second time in a row on: most failures end within a minute. */
    void failed(String why) {
        problem = failed ? why : problem;
        failed = true;
    }

    private static long elements(List<Response> responses) {
        return responses.stream()
                .mapToLong(response -> response.body().longestList())
                .sum();
    }

    /** Makes a list due that can no longer be right, unless it was read a few minutes ago. */
    void doubt(long nowMs) {
        if (request.priority() == Priority.LISTS && nowMs >= goodAtMs + DOUBTED_AT_MOST_EVERY.toMillis()) {
            dueAtMs = Math.min(dueAtMs, nowMs);
        }
    }
}
