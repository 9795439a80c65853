package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.poll.ResponseCache.Entry;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueResponses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Asks the keys of some requests for one round, longest overdue first and the requests in turn, until a moment. */
final class PerSymbolRequests {
    /** So many unanswered keys end a request's turn: each may have cost a whole deadline. */
    private static final int MOST_FAILED = 5;

    /** A row that is older is marked stale. */
    private static final long STALE_MS = 180_000;

    /** A key to ask for; its value was due at {@code dueMs}. */
    private record Turn(Request request, String key, int position, Entry memory, long dueMs) {
        /** Whether it is due every minute, so that it may be sent every second minute for a while. */
        boolean mayRest() {
            return request.rest().isZero();
        }
    }

    private final PartialPoll round;
    private final List<Request> requests;
    private final ResponseCache last;
    private final Time time;

    PerSymbolRequests(PartialPoll round, List<Request> requests, ResponseCache last, Time time) {
        this.round = round;
        this.requests = requests.stream().filter(r -> r.keys() != null).toList();
        this.last = last;
        this.time = time;
    }

    void ask(Predicate<Request> which, long endMs) throws InterruptedException {
        askSome(which, 1, endMs);
    }

    /**
     * Requests one in so many of the keys that are due every minute, the one with the oldest request first.
     * Keys that were never requested are requested in any case.
     */
    void askSome(Predicate<Request> which, int oneOf, long endMs) throws InterruptedException {
        long begunMs = time.elapsedMs();
        var failures = new LinkedHashMap<Request, List<String>>();
        var tried = new HashSet<Entry>();
        int most = oneOf == 1 ? Integer.MAX_VALUE : most(turns(which, tried), which, oneOf);
        boolean hasTime = true;
        boolean more = true;
        // again while answers bring keys for other requests
        while (more && hasTime) {
            more = false;
            for (Turn turn : turns(which, tried)) {
                List<String> failed = failures.computeIfAbsent(turn.request, r -> new ArrayList<>());
                if (failed.size() >= MOST_FAILED || (turn.mayRest() && most <= 0)) {
                    continue;
                }
                long left = endMs - time.elapsedMs();
                PagedResponse pages = left <= 0 ? null : round.keyed(turn.request, turn.key, turn.memory, left);
                if (pages == null || pages.outOfTime()) {
                    hasTime = false;
                    break;
                }
                more = true;
                most -= turn.mayRest() ? 1 : 0;
                tried.add(turn.memory);
                if (pages.problem() != null) {
                    failed.add(pages.problem());
                }
            }
        }
        failures.forEach((request, problems) -> {
            if (!problems.isEmpty()) {
                round.missing(request, problems.getLast() + " (" + problems.size() + " keys)");
            }
        });
        if (!hasTime) {
            for (Turn turn : turns(which, tried)) {
                if (!turn.mayRest() || most-- > 0) {
                    round.foundNoRoom(turn.request);
                }
            }
            tellStale(which, tried.size(), time.elapsedMs() - begunMs);
        }
    }

    /** Where there are more keys than a minute has room for, their values grow old: how many, and what a request takes. */
    private void tellStale(Predicate<Request> which, int asked, long tookMs) {
        for (Request request : requests) {
            if (which.test(request)
                    && request.cadence() == Request.Cadence.MINUTE
                    && request.rest().toMillis() < STALE_MS) {
                long stale = last.of(request).stream()
                        .filter(e -> last.isOlderThan(e, STALE_MS))
                        .count();
                if (stale > 0) {
                    round.missing(
                            request,
                            stale + " of " + last.of(request).size() + " rates are older than 180 s: " + asked
                                    + " requests in " + tookMs / 1_000 + " s was all there was room for");
                }
            }
        }
    }

    /**
     * Returns how many of the keys that are due every minute may be requested now. Keys with a rest of some
     * minutes are not slowed down.
     */
    private int most(List<Turn> due, Predicate<Request> which, int oneOf) {
        int all = 0;
        for (Request request : requests) {
            if (request.keys() != null && which.test(request) && request.rest().isZero()) {
                all += keys(request, request.keys()).size();
            }
        }
        int never = (int) due.stream()
                .filter(t -> t.mayRest() && t.memory.askedAtMs() == Long.MIN_VALUE)
                .count();
        return Math.max(never, Math.ceilDiv(all, oneOf));
    }

    private List<Turn> turns(Predicate<Request> which, Set<Entry> tried) {
        var turns = new ArrayList<Turn>();
        for (Request request : requests) {
            if (request.keys() != null && which.test(request)) {
                List<String> keys = keys(request, request.keys());
                last.retain(request, new HashSet<>(keys));
                for (int i = 0; i < keys.size(); i++) {
                    Entry memory = last.of(request, keys.get(i));
                    if (last.isDue(memory) && !tried.contains(memory)) {
                        turns.add(new Turn(request, keys.get(i), i, memory, dueMs(memory, request)));
                    }
                }
            }
        }
        turns.sort(Comparator.comparingLong(Turn::dueMs).thenComparingInt(Turn::position));
        return turns;
    }

    private static long dueMs(Entry memory, Request request) {
        return memory.askedAtMs() == Long.MIN_VALUE
                ? Long.MIN_VALUE
                : memory.askedAtMs() + request.rest().toMillis();
    }

    private List<String> keys(Request request, Function<VenueResponses, List<String>> keysOf) {
        try {
            return keysOf.apply(round.assemble()).stream().distinct().toList();
        } catch (Skip e) {
            round.missing(request, "its keys are unreadable, " + e.reason());
            return List.of();
        }
    }
}
