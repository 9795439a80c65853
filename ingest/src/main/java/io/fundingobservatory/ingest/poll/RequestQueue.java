package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.poll.ResponseCache.Entry;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Request.Priority;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Works off the requests of one poll, one priority after the other. The request that is due for longest comes
 * first; the rate limiter decides when it goes out.
 */
final class RequestQueue {
    /** So many keys without a response end a request: each may have cost a whole deadline. */
    private static final int MOST_FAILED = 5;

    /** A row that is older is marked stale. */
    private static final long STALE_MS = 180_000;

    /** A key to request; its value was due at {@code dueMs}. */
    private record DueKey(Request request, String key, int position, Entry memory, long dueMs) {
        /** Whether it is due in each poll, so that it may be sent in every second one for a while. */
        boolean mayRest() {
            return request.every().isZero();
        }
    }

    private final PartialPoll poll;
    private final List<Request> requests;
    private final ResponseCache last;
    private final Time time;

    RequestQueue(PartialPoll poll, List<Request> requests, ResponseCache last, Time time) {
        this.poll = poll;
        this.requests = requests;
        this.last = last;
        this.time = time;
    }

    /** Sends the requests of a priority that are due, until a moment by {@link Time#elapsedMs()}. */
    void work(Priority priority, long endMs) throws InterruptedException {
        work(priority, endMs, 1);
    }

    /**
     * As {@link #work(Priority, long)}, with one in so many of the keys that are due in each poll. Keys that were
     * never requested are requested in any case.
     */
    void work(Priority priority, long endMs, int oneOf) throws InterruptedException {
        for (Request request : requests) {
            if (request.priority() == priority && request.keys() == null) {
                if (priority == Priority.LISTS) {
                    poll.list(request);
                } else {
                    poll.rates(request);
                }
            }
        }
        List<Request> keyed = requests.stream()
                .filter(r -> r.priority() == priority && r.keys() != null)
                .toList();
        if (!keyed.isEmpty()) {
            workKeys(keyed, endMs, oneOf);
        }
    }

    private void workKeys(List<Request> keyed, long endMs, int oneOf) throws InterruptedException {
        long begunMs = time.elapsedMs();
        var failures = new LinkedHashMap<Request, List<String>>();
        var tried = new HashSet<Entry>();
        int most = oneOf == 1 ? Integer.MAX_VALUE : most(dueKeys(keyed, tried), keyed, oneOf);
        boolean hasTime = true;
        boolean more = true;
        // again while responses bring keys for other requests
        while (more && hasTime) {
            more = false;
            for (DueKey due : dueKeys(keyed, tried)) {
                List<String> failed = failures.computeIfAbsent(due.request, r -> new ArrayList<>());
                if (failed.size() >= MOST_FAILED || (due.mayRest() && most <= 0)) {
                    continue;
                }
                long left = endMs - time.elapsedMs();
                PagedResponse pages = left <= 0 ? null : poll.keyed(due.request, due.key, due.memory, left);
                if (pages == null || pages.outOfTime()) {
                    hasTime = false;
                    break;
                }
                more = true;
                most -= due.mayRest() ? 1 : 0;
                tried.add(due.memory);
                if (pages.problem() != null) {
                    failed.add(pages.problem());
                }
            }
        }
        failures.forEach((request, problems) -> {
            if (!problems.isEmpty()) {
                poll.missing(request, problems.getLast() + " (" + problems.size() + " keys)");
            }
        });
        if (!hasTime) {
            for (DueKey due : dueKeys(keyed, tried)) {
                if (!due.mayRest() || most-- > 0) {
                    poll.lackedAllowance(due.request);
                }
            }
            reportStale(keyed, tried.size(), time.elapsedMs() - begunMs);
        }
    }

    /** Reports rates that became stale because a minute is too short for all keys. */
    private void reportStale(List<Request> keyed, int requestCount, long tookMs) {
        for (Request request : keyed) {
            if (request.every().toMillis() < STALE_MS) {
                long stale = last.of(request).stream()
                        .filter(e -> last.isOlderThan(e, STALE_MS))
                        .count();
                if (stale > 0) {
                    poll.missing(
                            request,
                            stale + " of " + last.of(request).size() + " rates are older than 180 s: only "
                                    + requestCount + " requests fitted into " + tookMs / 1_000 + " s");
                }
            }
        }
    }

    /**
     * Returns how many of the keys that are due every minute may be requested now. Keys with a rest of some
     * minutes are not slowed down.
     */
    private int most(List<DueKey> due, List<Request> keyed, int oneOf) {
        int all = 0;
        for (Request request : keyed) {
            if (request.every().isZero()) {
                all += keys(request).size();
            }
        }
        int never = (int) due.stream()
                .filter(t -> t.mayRest() && t.memory.requestedAtMs() == Long.MIN_VALUE)
                .count();
        return Math.max(never, Math.ceilDiv(all, oneOf));
    }

    private List<DueKey> dueKeys(List<Request> keyed, Set<Entry> tried) {
        var dueKeys = new ArrayList<DueKey>();
        for (Request request : keyed) {
            List<String> keys = keys(request);
            last.retain(request, new HashSet<>(keys));
            for (int i = 0; i < keys.size(); i++) {
                Entry memory = last.of(request, keys.get(i));
                if (last.isDue(memory) && !tried.contains(memory)) {
                    dueKeys.add(new DueKey(request, keys.get(i), i, memory, dueMs(memory, request)));
                }
            }
        }
        dueKeys.sort(Comparator.comparingLong(DueKey::dueMs).thenComparingInt(DueKey::position));
        return dueKeys;
    }

    private static long dueMs(Entry memory, Request request) {
        return memory.requestedAtMs() == Long.MIN_VALUE
                ? Long.MIN_VALUE
                : memory.requestedAtMs() + request.every().toMillis();
    }

    private List<String> keys(Request request) {
        try {
            return Objects.requireNonNull(request.keys()).apply(poll.assemble()).stream()
                    .distinct()
                    .toList();
        } catch (Skip e) {
            poll.missing(request, "its keys are unreadable, " + e.reason());
            return List.of();
        }
    }
}
