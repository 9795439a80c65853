package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Writes one line when something of a venue fails, one when it fails differently, and one when it recovers.
 * Requests for single contracts have a state for each contract. The log shows the first few contracts of each
 * endpoint of a venue. All are counted elsewhere.
 */
final class StateChangeLog {
    /** An endpoint that fails for every contract must not cause a line for each of a thousand. */
    private static final int MOST_CONTRACTS = 5;

    /** What has not failed for so long is forgotten: a delisted contract is never requested again. */
    private static final long FORGOTTEN_MS = Duration.ofDays(1).toMillis();

    /**
     * What has a state.
     *
     * @param what the declared name of a request, or what else it is
     * @param request that request with its contract; the same as {@code what} where it has none
     */
    private record Subject(String venue, String what, String request) {}

    /** How it failed last, and when, by {@link Time#elapsedMs()}. */
    private record Failure(String kind, long atMs) {}

    private final Logger log;
    private final Time time;
    private final Map<Subject, Failure> failing = new ConcurrentHashMap<>();
    private final Map<Subject, String> bugs = new ConcurrentHashMap<>();

    StateChangeLog(Logger log, Time time) {
        this.log = log;
        this.time = time;
    }

    /** Something is wrong ({@code state} in one word); of several contracts, others may succeed. */
    void isUnwell(String venue, String what, String request, String state, String reason) {
        var subject = new Subject(venue, what, request);
        long nowMs = time.elapsedMs();
        failing.values().removeIf(failure -> nowMs - failure.atMs() > FORGOTTEN_MS);
        if (!request.equals(what) && !failing.containsKey(subject) && contracts(venue, what) >= MOST_CONTRACTS) {
            return;
        }
        // counts and seconds change from time to time; what is wrong has not
        String kind = state + ' ' + reason.replaceAll("\\d+", "#");
        Failure before = failing.put(subject, new Failure(kind, nowMs));
        if (before == null || !kind.equals(before.kind())) {
            log.warn(
                    "request does not succeed venue={} request={} state={} reason=\"{}\"",
                    venue,
                    request,
                    state,
                    reason);
        }
    }

    private long contracts(String venue, String what) {
        return failing.keySet().stream()
                .filter(s -> s.venue().equals(venue)
                        && s.what().equals(what)
                        && !s.request().equals(what))
                .count();
    }

    /** A request, with its contract where it has one, gets a response; so its endpoint responds as well. */
    void isWell(String venue, String what, String request) {
        if (failing.isEmpty()) {
            return;
        }
        recovered(new Subject(venue, what, request));
        recovered(new Subject(venue, what, what));
    }

    private void recovered(Subject subject) {
        if (failing.remove(subject) != null) {
            log.info("request succeeds again venue={} request={}", subject.venue(), subject.request());
        }
    }

    /** With its stack, once for each place that it comes from. */
    void bug(String venue, String step, Throwable bug) {
        StackTraceElement[] stack = bug.getStackTrace();
        String kind = bug.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
        if (!kind.equals(bugs.put(new Subject(venue, step, step), kind))) {
            log.error("step failed by an internal error venue={} step={} reason=\"{}\"", venue, step, bug, bug);
        }
    }

    void forget(String venue) {
        failing.keySet().removeIf(subject -> subject.venue().equals(venue));
        bugs.keySet().removeIf(subject -> subject.venue().equals(venue));
    }
}
