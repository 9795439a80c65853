package io.fundingobservatory.ingest.history;

import io.fundingobservatory.topics.HistoryProgress;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How far one contract's settled history has been read, and when it is looked at next. Instants are epoch ms. */
final class ContractHistory {
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long FIRST_LOOK_MS = Duration.ofMinutes(1).toMillis();
    private static final long SPREAD_MS = Duration.ofMinutes(2).toMillis();
    private static final long AGAIN_MS = Duration.ofMinutes(3).toMillis();
    private static final long FAILED_MS = Duration.ofMinutes(10).toMillis();

    /** A settlement that is not there after so many looks is read together with the next one. */
    private static final int LOOKS = 4;

    /** When a live contract settles next, epoch ms, and how far apart its settlements are at most. */
    record Schedule(@Nullable Long nextMs, long intervalMs) {
        static final Schedule UNKNOWN = new Schedule(null, HOUR_MS);
    }

    private final String symbol;
    private @Nullable Long newestMs;
    private boolean whole;
    private boolean unreachable;
    private long settlesMs = Long.MIN_VALUE;
    private long dueMs = Long.MIN_VALUE;
    private int looks;
    private @Nullable HistoryCursor cursor;

    ContractHistory(String symbol) {
        this.symbol = symbol;
    }

    /** As an earlier process left it. */
    static ContractHistory resumed(HistoryProgress progress) {
        var contract = new ContractHistory(progress.symbol());
        contract.newestMs = progress.newestMs();
        contract.whole = progress.whole();
        return contract;
    }

    String symbol() {
        return symbol;
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

    /** Whether the exchange has an address for it. */
    boolean isReachable() {
        return !unreachable;
    }

    long dueMs() {
        return dueMs;
    }

    /** Where a reading that is under way stands; null when none is. */
    @Nullable
    HistoryCursor cursor() {
        return cursor;
    }

    void begin(HistoryCursor from) {
        cursor = from;
    }

    /** What the exchange announces now: plans the next look, unless what there is has not been read yet. */
    void announced(Schedule schedule, long now, RandomGenerator random) {
        if (!whole) {
            return;
        }
        boolean unplanned = settlesMs == Long.MIN_VALUE;
        boolean behind = newestMs == null || newestMs > now || now - newestMs > schedule.intervalMs() + AGAIN_MS;
        Long next = schedule.nextMs();
        boolean sooner = next != null && next > now && next < settlesMs;
        if ((unplanned && !behind) || sooner) {
            await(schedule, now, random);
        }
    }

    private void await(Schedule schedule, long now, RandomGenerator random) {
        Long next = schedule.nextMs();
        settlesMs = next != null && next > now ? next : (now / HOUR_MS + 1) * HOUR_MS;
        dueMs = settlesMs + FIRST_LOOK_MS + random.nextLong(SPREAD_MS);
        looks = 0;
    }

    void putOff(long now) {
        dueMs = now + FAILED_MS;
    }

    /** Everything up to an instant has been read, though not everything yet. */
    void reached(long settledMs) {
        newestMs = settledMs;
    }

    /** The reading is at its end; whether it brought anything to remember. */
    boolean finish(HistoryCursor read, Schedule schedule, long now, RandomGenerator random) {
        cursor = null;
        unreachable = !read.hadPlaces();
        if (!read.wasAnswered()) {
            putOff(now);
            return false;
        }
        Long newest = read.newestMs();
        boolean changed = newest != null || !whole;
        newestMs = newest == null ? newestMs : newest;
        if (changed || ++looks >= LOOKS) {
            await(schedule, now, random);
        } else {
            dueMs = now + AGAIN_MS;
        }
        whole = true;
        return changed;
    }
}
