package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.backfill.HistoryCursor.Endpoint;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.topics.records.HistoryProgress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How far one contract's settled history has been read, and when it is read next. It waits for a settlement, is being
 * read, or is backed off. Instants are epoch ms.
 */
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

    /**
     * What happens next with the contract.
     *
     * @param cursor where a reading that has begun goes on; null when the next one begins with the first page
     * @param problem why it could not be read last time, in one line; null when it could
     * @param dueMs when its endpoints get the next request; before the backfill, that is at once
     */
    private record State(
            @Nullable HistoryCursor cursor, @Nullable String problem, long dueMs) {
        static State waiting(long dueMs) {
            return new State(null, null, dueMs);
        }

        State dueAt(long ms) {
            return new State(cursor, problem, ms);
        }
    }

    /** Whether the venue has its history. */
    private enum Availability {
        AVAILABLE,
        /** No endpoint takes it so far. */
        UNREACHABLE,
        /** Every endpoint responds that it has none. */
        REFUSED
    }

    /**
     * What has been read.
     *
     * @param newestMs the newest settlement up to which nothing is missing; null when none has been read
     * @param whole whether everything that reaches back far enough has been read once
     * @param readMs when it was last read to the end
     */
    private record Known(@Nullable Long newestMs, boolean whole, long readMs) {}

    /** The settlement that is looked for, {@code UNPLANNED} before it is known, and how often nothing new was there. */
    private record FollowUp(long settlesMs, int times) {
        static final long UNPLANNED = Long.MIN_VALUE;

        boolean isPlanned() {
            return settlesMs != UNPLANNED;
        }
    }

    /** Failures in a row, and how often endpoints rejected pages after the first. */
    private record Failures(int inARow, int amid) {
        static final Failures NONE = new Failures(0, 0);
    }

    private final String symbol;
    private final RandomGenerator random;
    private List<Endpoint> endpoints = List.of();
    private Set<String> bulkEndpoints = Set.of();
    private Schedule schedule = new Schedule(null, HOUR_MS, 0, 1);
    private Known known = new Known(null, false, Long.MIN_VALUE / 2);
    private State state = State.waiting(Long.MIN_VALUE);
    private FollowUp followUp = new FollowUp(FollowUp.UNPLANNED, 0);
    private Failures failures = Failures.NONE;
    private Availability availability = Availability.AVAILABLE;
    private @Nullable SkipReason skipped;
    private long listedMs;

    ContractBackfill(String symbol, RandomGenerator random) {
        this.symbol = symbol;
        this.random = random;
    }

    static ContractBackfill resumed(HistoryProgress progress, RandomGenerator random) {
        var contract = new ContractBackfill(progress.symbol(), random);
        Long newest = progress.newestMs();
        // the reading that found its newest settlement was some minutes after it at the earliest
        contract.known = new Known(newest, progress.whole(), newest == null ? contract.known.readMs() : newest);
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
        return known.newestMs();
    }

    /** Whether everything that reaches back far enough has been read once. */
    boolean isWhole() {
        return known.whole();
    }

    boolean isReachable() {
        return availability != Availability.UNREACHABLE;
    }

    /** Whether the venue has responded at every endpoint that it has no settled rates of the contract; that is requested again hours later. */
    boolean isRefused() {
        return availability == Availability.REFUSED;
    }

    long dueMs() {
        return state.dueMs();
    }

    /** Why it could not be read last time; null when it could. */
    @Nullable
    String problem() {
        return state.problem();
    }

    /** Returns the position of a reading that is under way; null when none is. */
    @Nullable
    HistoryCursor cursor() {
        return state.cursor();
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
        state = new State(from, problem(), dueMs());
    }

    /** Plans the next follow-up by the announced settlement, unless backfill has not ended yet. */
    void announced(Schedule announced, long now) {
        schedule = announced;
        if (!known.whole()) {
            return;
        }
        Long newest = known.newestMs();
        boolean behind = newest == null
                || newest > now
                || now - newest > Math.max(schedule.intervalMs() + AGAIN_MS, schedule.restMs())
                || lacksTheLast(newest, now);
        Long next = schedule.nextMs();
        boolean sooner = next != null && next > now && next < followUp.settlesMs();
        if ((!followUp.isPlanned() && !behind) || sooner) {
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
        long settlesMs = next != null && next > now ? next : (now / HOUR_MS + 1) * HOUR_MS;
        long followUpMs = Math.max(settlesMs + FIRST_FOLLOW_UP_MS, rested());
        followUp = new FollowUp(settlesMs, 0);
        state = state.dueAt(followUpMs
                + random.nextLong(Math.max(1, Math.min(schedule.spreadMs(), schedule.intervalMs() / 2))));
    }

    private long rested() {
        return schedule.restMs() == 0 ? Long.MIN_VALUE : known.readMs() + schedule.restMs();
    }

    /** Counts a follow-up that found nothing; whether the settlement is given up, to be read together with the next. */
    private boolean isGivenUp() {
        followUp = new FollowUp(followUp.settlesMs(), followUp.times() + 1);
        return followUp.times() >= FOLLOW_UPS;
    }

    void backOff(String why, long now) {
        backOff(cursor(), why, now);
    }

    private void backOff(@Nullable HistoryCursor from, String why, long now) {
        long pause = Math.min(REFUSED_LONGEST_MS, REFUSED_FIRST_MS << Math.min(failures.inARow(), 10));
        failures = new Failures(failures.inARow() + 1, failures.amid());
        state = new State(from, why, now + pause);
    }

    /**
     * Backs off from a contract whose endpoint refused the remaining pages. The reading restarts from the
     * first page, because a page's mark may expire. Returns false, without a back-off, when this has happened
     * often enough.
     */
    boolean backOffAmid(String why, long now) {
        if (failures.amid() >= REFUSED_AMID) {
            return false;
        }
        failures = new Failures(failures.inARow(), failures.amid() + 1);
        backOff(null, why, now);
        return true;
    }

    /** Everything up to an instant has been read, though not everything yet. */
    void reached(long settledMs) {
        known = new Known(settledMs, known.whole(), known.readMs());
    }

    /**
     * Whether an endpoint has its last settlement with those of others. All but that one has been read, and it should
     * be there by now; a longer gap is backfill.
     */
    boolean isToBeFollowed(String bulkEndpoint, long now) {
        Long newest = known.newestMs();
        return known.whole()
                && bulkEndpoints.contains(bulkEndpoint)
                && newest != null
                && now - newest < FOLLOWED_MS
                && followUp.isPlanned()
                && followUp.settlesMs() + FIRST_FOLLOW_UP_MS <= now;
    }

    /** Records the settlement that a response about many contracts has for it; null when it has none. */
    void followed(@Nullable Long settledMs, long now) {
        if (settledMs == null && !isGivenUp()) {
            state = state.dueAt(now + AGAIN_MS);
            return;
        }
        if (settledMs != null) {
            reached(settledMs);
        }
        skipped = null;
        failures = new Failures(0, failures.amid());
        state = State.waiting(now);
        await(now);
    }

    /** The reading is at its end; whether it brought anything to remember. */
    boolean finish(HistoryCursor read, @Nullable String refused, long now) {
        availability = !read.hadEndpoints()
                ? Availability.UNREACHABLE
                : !read.gotResponse() && refused != null ? Availability.REFUSED : Availability.AVAILABLE;
        if (!read.gotResponse()) {
            if (refused == null) {
                // no endpoint takes it so far; the keys of one may become known any minute
                state = State.waiting(now + REFUSED_FIRST_MS);
            } else {
                backOff(null, refused, now);
            }
            return false;
        }
        Long newest = read.newestMs();
        boolean changed = newest != null || !known.whole();
        known = new Known(newest == null ? known.newestMs() : newest, true, now);
        failures = Failures.NONE;
        state = State.waiting(Math.max(now + AGAIN_MS, rested()));
        if (changed || isGivenUp()) {
            await(now);
        }
        return changed;
    }
}
