package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.backfill.HistoryCursor.Endpoint;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.topics.records.HistoryProgress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How far one contract's settled history has been read, and when it is read next. Instants are epoch ms. */
final class ContractBackfill {
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long FIRST_FOLLOW_UP_MS = Duration.ofMinutes(1).toMillis();
    private static final long FOLLOWED_MS = Duration.ofHours(36).toMillis();
    private static final long AGAIN_MS = Duration.ofMinutes(3).toMillis();

    /** A contract whose requests fail is requested again after this, then after twice as long each time. */
    private static final long REFUSED_FIRST_MS = Duration.ofMinutes(10).toMillis();

    private static final long REFUSED_LONGEST_MS = Duration.ofHours(6).toMillis();

    /** An endpoint that rejects the rest of a contract's history after so many times has no more of it. */
    private static final int REFUSED_AMID = 3;

    /** A settlement that is not there after so many follow-ups is read together with the next one. */
    private static final int FOLLOW_UPS = 4;

    /**
     * When a live contract is read.
     *
     * @param nextMs its next settlement, epoch ms; null when none is announced
     * @param intervalMs how far apart its settlements are at most
     * @param restMs how long it rests between two readings; 0 where a request can be limited to what is new
     * @param spreadMs within this time the venue's contracts that settle at one instant are followed up
     */
    record Schedule(@Nullable Long nextMs, long intervalMs, long restMs, long spreadMs) {}

    private final String symbol;
    private final RandomGenerator random;
    private List<Endpoint> endpoints = List.of();
    private Set<String> bulkEndpoints = Set.of();
    private Schedule schedule = new Schedule(null, HOUR_MS, 0, 1);
    private @Nullable Long newestMs;
    private long readMs = Long.MIN_VALUE / 2;
    private long listedMs;
    private boolean whole;
    private boolean unreachable;
    private boolean refused;
    private long settlesMs = Long.MIN_VALUE;
    private long dueMs = Long.MIN_VALUE;
    private int followUps;
    private int failures;
    private int refusedAmid;
    private @Nullable String problem;
    private @Nullable SkipReason skipped;
    private @Nullable HistoryCursor cursor;

    ContractBackfill(String symbol, RandomGenerator random) {
        this.symbol = symbol;
        this.random = random;
    }

    static ContractBackfill resumed(HistoryProgress progress, RandomGenerator random) {
        var contract = new ContractBackfill(progress.symbol(), random);
        contract.newestMs = progress.newestMs();
        contract.whole = progress.whole();
        // the reading that found its newest settlement was some minutes after it at the earliest
        contract.readMs = progress.newestMs() == null ? contract.readMs : progress.newestMs();
        return contract;
    }

    String symbol() {
        return symbol;
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    /** Sets where its history may be, and the names of the endpoints that return its newest settlement with others. */
    void endpoints(List<Endpoint> single, Set<String> bulk) {
        endpoints = single;
        bulkEndpoints = bulk;
    }

    /** When it was last in a poll. */
    long listedMs() {
        return listedMs;
    }

    void listed(long nowMs) {
        listedMs = nowMs;
    }

    /** The newest settlement up to which nothing is missing; null when none has been read. */
    @Nullable
    Long newestMs() {
        return newestMs;
    }

    /** Whether everything that reaches back far enough has been read once. */
    boolean isWhole() {
        return whole;
    }

    boolean isReachable() {
        return !unreachable;
    }

    /** Whether the venue has responded at every endpoint that it has no settled rates of the contract; that is requested again hours later. */
    boolean isRefused() {
        return refused;
    }

    long dueMs() {
        return dueMs;
    }

    /** Why it could not be read last time; null when it could. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Returns the position of a reading that is under way; null when none is. */
    @Nullable
    HistoryCursor cursor() {
        return cursor;
    }

    /** Why rows of its last reading were left out; null when none was. */
    @Nullable
    SkipReason skipped() {
        return skipped;
    }

    /** Records why rows of one more page were left out; null when none was. */
    void skippedRows(@Nullable SkipReason reason) {
        skipped = reason == null ? skipped : reason;
    }

    void begin(HistoryCursor from) {
        skipped = null;
        cursor = from;
    }

    /** Plans the next follow-up by the announced settlement, unless backfill has not ended yet. */
    void announced(Schedule announced, long now) {
        schedule = announced;
        if (!whole) {
            return;
        }
        boolean unplanned = settlesMs == Long.MIN_VALUE;
        boolean behind = newestMs == null
                || newestMs > now
                || now - newestMs > Math.max(schedule.intervalMs() + AGAIN_MS, schedule.restMs())
                || lacksTheLast(newestMs, now);
        Long next = schedule.nextMs();
        boolean sooner = next != null && next > now && next < settlesMs;
        if ((unplanned && !behind) || sooner) {
            await(now);
        }
    }

    /** Whether the settlement before the announced one has passed and has not been read. */
    private boolean lacksTheLast(long readUpToMs, long now) {
        Long next = schedule.nextMs();
        if (next == null || schedule.restMs() > 0) {
            return false;
        }
        long last = next - schedule.intervalMs();
        return last <= now && readUpToMs < last - AGAIN_MS;
    }

    /** Spreads the follow-ups of all contracts that settle at one instant, so that no burst goes out. */
    private void await(long now) {
        Long next = schedule.nextMs();
        settlesMs = next != null && next > now ? next : (now / HOUR_MS + 1) * HOUR_MS;
        long followUpMs = Math.max(settlesMs + FIRST_FOLLOW_UP_MS, rested());
        dueMs = followUpMs + random.nextLong(Math.max(1, Math.min(schedule.spreadMs(), schedule.intervalMs() / 2)));
        followUps = 0;
    }

    private long rested() {
        return schedule.restMs() == 0 ? Long.MIN_VALUE : readMs + schedule.restMs();
    }

    void backOff(String why, long now) {
        problem = why;
        dueMs = now + Math.min(REFUSED_LONGEST_MS, REFUSED_FIRST_MS << Math.min(failures, 10));
        failures++;
    }

    /**
     * Backs off from a contract whose endpoint refused the remaining pages. The reading restarts from the
     * first page, because a page's mark may expire. Returns false, without a back-off, when this has happened
     * often enough.
     */
    boolean backOffAmid(String why, long now) {
        if (refusedAmid >= REFUSED_AMID) {
            return false;
        }
        refusedAmid++;
        cursor = null;
        backOff(why, now);
        return true;
    }

    /** Everything up to an instant has been read, though not everything yet. */
    void reached(long settledMs) {
        newestMs = settledMs;
    }

    /**
     * Whether an endpoint has its last settlement with those of others. All but that one has been read, and it should
     * be there by now; a longer gap is backfill.
     */
    boolean isToBeFollowed(String bulkEndpoint, long now) {
        return whole
                && bulkEndpoints.contains(bulkEndpoint)
                && newestMs != null
                && now - newestMs < FOLLOWED_MS
                && settlesMs != Long.MIN_VALUE
                && settlesMs + FIRST_FOLLOW_UP_MS <= now;
    }

    /** Records the settlement that a response about many contracts has for it; null when it has none. */
    void followed(@Nullable Long settledMs, long now) {
        if (settledMs == null && ++followUps < FOLLOW_UPS) {
            dueMs = now + AGAIN_MS;
            return;
        }
        newestMs = settledMs == null ? newestMs : settledMs;
        problem = null;
        skipped = null;
        failures = 0;
        cursor = null;
        await(now);
    }

    /** The reading is at its end; whether it brought anything to remember. */
    boolean finish(HistoryCursor read, @Nullable String refused, long now) {
        cursor = null;
        unreachable = !read.hadEndpoints();
        this.refused = !read.gotResponse() && refused != null;
        if (!read.gotResponse()) {
            if (refused == null) {
                // no endpoint takes it so far; the keys of one may become known any minute
                dueMs = now + REFUSED_FIRST_MS;
            } else {
                backOff(refused, now);
            }
            return false;
        }
        readMs = now;
        problem = null;
        failures = 0;
        refusedAmid = 0;
        Long newest = read.newestMs();
        boolean changed = newest != null || !whole;
        newestMs = newest == null ? newestMs : newest;
        if (changed || ++followUps >= FOLLOW_UPS) {
            await(now);
        } else {
            dueMs = Math.max(now + AGAIN_MS, rested());
        }
        whole = true;
        return changed;
    }
}
