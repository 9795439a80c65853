package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.FetchResult.BackedOff;
import io.fundingobservatory.ingest.client.FetchResult.NoAllowance;
import io.fundingobservatory.ingest.client.FetchResult.NoResponse;
import io.fundingobservatory.ingest.client.FetchResult.Received;
import io.fundingobservatory.ingest.client.RateLimitedClient;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.TrafficClass;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Request.Priority;
import io.fundingobservatory.ingest.spec.VenueResponses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One poll, which works off the queue of a venue's requests one priority after the other. */
final class VenuePoll {
    private static final long LONGEST_WAIT_MS = 60_000;

    /** So many keys without a response end a request: each may have taken a whole deadline. */
    private static final int MOST_WITHOUT_RESPONSE = 5;

    /** A row that is older is marked stale. */
    private static final long STALE_MS = 180_000;

    private final RequestQueue queue;
    private final RateLimitedClient exchange;
    private final LongPredicate fits;
    private final Time time;
    private final RandomGenerator random;
    /** Once each: keys that are unreadable are so in every pass. */
    private final Set<String> missing = new LinkedHashSet<>();

    private final Map<String, Integer> rateCost = new HashMap<>();
    private boolean fresh;
    private boolean ratesWereDue;
    private int requestCount;

    /** {@code fits} is whether so many bytes of responses can be kept for the venue. */
    VenuePoll(RequestQueue queue, RateLimitedClient exchange, LongPredicate fits, Time time, RandomGenerator random) {
        this.queue = queue;
        this.exchange = exchange;
        this.fits = fits;
        this.time = time;
        this.random = random;
    }

    void workPlain() throws InterruptedException {
        for (Request request : queue.declared(Priority.LISTS)) {
            list(queue.plain(request));
        }
        for (Request request : queue.declared(Priority.EACH_POLL)) {
            rates(queue.plain(request));
        }
    }

    /** A list: the last one as long as none is due or the new one does not come. */
    private void list(QueuedRequest list) throws InterruptedException {
        String problem = null;
        if (list.isDue(time.elapsedMs())) {
            var pages = new RequestPages(list.request(), list.key(), bytes -> fits(list, bytes));
            FetchResult last = read(pages, () -> LONGEST_WAIT_MS);
            if (last instanceof Received) {
                problem = list.renew(pages.responses(), time.elapsedMs(), random);
            } else {
                problem = last.reason();
                list.failed(problem);
            }
        }
        if (!list.isAvailable(time.elapsedMs())) {
            String why = problem == null ? list.problem() : problem;
            missing(list.request(), Objects.requireNonNullElse(why, "no response that counts"));
        } else if (list.problem() != null) {
            missing(list.request(), list.problem() + ", the one before is used");
        }
    }

    private void rates(QueuedRequest rates) throws InterruptedException {
        var pages = new RequestPages(rates.request(), rates.key(), bytes -> fits(rates, bytes));
        FetchResult last = read(pages, () -> LONGEST_WAIT_MS);
        // the pages that came are good values even when a later one did not
        if (!pages.responses().isEmpty()) {
            rates.take(pages.responses(), time.elapsedMs());
            fresh = true;
        }
        if (!(last instanceof Received)) {
            missing(rates.request(), last.reason());
        }
    }

    /**
     * Sends the requests by key of a priority that are due, until a moment by {@link Time#elapsedMs()}.
     *
     * @param oneOf one in so many of the keys that are due in each poll is requested. Keys that were never requested
     *     are requested in any case.
     */
    void workKeys(Priority priority, long endMs, int oneOf) throws InterruptedException {
        long begunMs = time.elapsedMs();
        var failures = new LinkedHashMap<Request, List<String>>();
        var withoutResponse = new HashMap<Request, Integer>();
        var backedOff = new HashSet<Request>();
        var tried = new HashSet<QueuedRequest>();
        long most = oneOf == 1 ? Long.MAX_VALUE : most(priority, oneOf);
        boolean hasTime = true;
        boolean more = true;
        // again while responses bring keys for other requests
        while (more && hasTime) {
            more = false;
            for (QueuedRequest due : due(priority, tried)) {
                Request request = due.request();
                if (backedOff.contains(request)
                        || withoutResponse.getOrDefault(request, 0) >= MOST_WITHOUT_RESPONSE
                        || (due.mayRest() && most <= 0)) {
                    continue;
                }
                long left = endMs - time.elapsedMs();
                FetchResult last = left <= 0 ? new NoAllowance() : keyed(due, left);
                if (last instanceof NoAllowance) {
                    hasTime = false;
                    break;
                }
                more = true;
                most -= due.mayRest() ? 1 : 0;
                tried.add(due);
                if (!(last instanceof Received)) {
                    failures.computeIfAbsent(request, r -> new ArrayList<>()).add(last.reason());
                }
                if (last instanceof NoResponse) {
                    withoutResponse.merge(request, 1, Integer::sum);
                } else if (last instanceof BackedOff) {
                    backedOff.add(request);
                }
            }
        }
        failures.forEach(
                (request, problems) -> missing(request, problems.getLast() + " (" + problems.size() + " keys)"));
        if (!hasTime) {
            // Without their cost, history would take what these rates failed to get, and every later poll would have as
            // little.
            for (QueuedRequest due : due(priority, tried)) {
                if (!due.mayRest() || most-- > 0) {
                    addRateCost(due.request(), 1);
                }
            }
            reportStale(priority, tried.size(), time.elapsedMs() - begunMs);
        }
    }

    private List<QueuedRequest> due(Priority priority, Set<QueuedRequest> tried) {
        return queue.due(priority, this::missing).stream()
                .filter(due -> !tried.contains(due))
                .toList();
    }

    /**
     * Returns how many of the keys that are due every minute may be requested now. Keys with a rest of some
     * minutes are not slowed down.
     */
    private long most(Priority priority, int oneOf) {
        long never = due(priority, Set.of()).stream()
                .filter(due -> due.mayRest() && due.orderMs() == QueuedRequest.NEVER)
                .count();
        long all = queue.declared(priority).stream()
                .flatMap(request -> queue.keys(request).stream())
                .filter(QueuedRequest::mayRest)
                .count();
        return Math.max(never, Math.ceilDiv(all, oneOf));
    }

    private FetchResult keyed(QueuedRequest one, long mayWaitMs) throws InterruptedException {
        var pages = new RequestPages(one.request(), one.key(), bytes -> fits(one, bytes));
        FetchResult last = read(pages, () -> mayWaitMs);
        if (last.isSent()) {
            one.sent(time.elapsedMs());
        }
        if (last instanceof Received) {
            one.keep(pages.responses(), time.elapsedMs(), random);
            fresh |= one.request().isFrequent();
        }
        return last;
    }

    /** Reports rates that became stale because a minute is too short for all keys. */
    private void reportStale(Priority priority, int requestCount, long tookMs) {
        for (Request request : queue.declared(priority)) {
            long stale = queue.keys(request).stream()
                    .filter(one -> one.isOlderThan(STALE_MS, time.elapsedMs()))
                    .count();
            if (stale > 0 && request.every().toMillis() < STALE_MS) {
                missing(
                        request,
                        stale + " of " + queue.keys(request).size() + " rates are older than 180 s: only "
                                + requestCount + " requests fitted into " + tookMs / 1_000 + " s");
            }
        }
    }

    /** Reads all pages of a request, and counts what they cost. */
    private FetchResult read(RequestPages pages, LongSupplier mayWaitMs) throws InterruptedException {
        int before = requestCount;
        FetchResult last = pages.read(
                (request, endpoint, mayWait) -> {
                    FetchResult fetched = exchange.send(request, endpoint, TrafficClass.POLLS, mayWait);
                    requestCount += fetched.isSent() ? 1 : 0;
                    return fetched;
                },
                mayWaitMs);
        addRateCost(pages.request(), requestCount - before);
        return last;
    }

    /** Whether new responses can be kept. Where they do not fit next to the last ones of the request, those are forgotten. */
    private boolean fits(QueuedRequest one, long bytes) {
        if (fits.test(queue.bytes() + bytes)) {
            return true;
        }
        one.forget();
        return fits.test(queue.bytes() + bytes);
    }

    /** Counts what the request of a due rate has cost, also when it was paused before it was sent. */
    private void addRateCost(Request request, int times) {
        if (request.isFrequent()) {
            ratesWereDue = true;
            request.declared().cost().forEach((pool, units) -> rateCost.merge(pool, times * units, Integer::sum));
        }
    }

    private void missing(Request request, String problem) {
        missing.add(request.name() + ": " + problem);
    }

    /** What the requests for rates cost, by pool, with those that lacked allowance. */
    Map<String, Integer> rateCost() {
        return Map.copyOf(rateCost);
    }

    PollResponses responses() {
        VenueResponses responses = queue.available();
        return new PollResponses(
                responses, fresh || !ratesWereDue, readAtMs(responses), requestCount, List.copyOf(missing));
    }

    /** Returns when the oldest available rate was read. */
    private @Nullable Long readAtMs(VenueResponses responses) {
        return Stream.of(Priority.EACH_POLL, Priority.EACH_POLL_BY_KEY)
                .flatMap(priority -> queue.declared(priority).stream())
                .flatMap(request -> responses.all(request.name()).stream())
                .map(VenueResponses.Response::readAtMs)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }
}
