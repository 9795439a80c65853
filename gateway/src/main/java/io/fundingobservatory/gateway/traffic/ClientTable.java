package io.fundingobservatory.gateway.traffic;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The clients of the latest requests, in a table whose size never changes: sets of eight places, found by a hash. A client that is not
 * there takes the place of the one in its set that has been away longest. Two clients are taken for one about once in five hundred
 * million.
 */
final class ClientTable {
    private static final int WAYS = 8;
    /** A tag, a time and a reference. */
    private static final int SLOT_BYTES = 16;

    private static final long NEVER = Long.MIN_VALUE / 2;

    private final int[] tags;
    private final long[] countedUntilUs;
    private final @Nullable ClientHistory[] histories;
    private final long historiesMost;
    private long historiesBytes;
    private int hand;
    private int used;

    /** A quarter of the memory, at most, is the table; the rest is for what is remembered of those who name things. */
    ClientTable(long memoryBytes) {
        int slots = Math.max(WAYS, (int) Math.min(1 << 24, Long.highestOneBit(memoryBytes / 4 / SLOT_BYTES)));
        tags = new int[slots];
        countedUntilUs = new long[slots];
        histories = new ClientHistory[slots];
        historiesMost = memoryBytes - (long) slots * SLOT_BYTES;
        Arrays.fill(countedUntilUs, NEVER);
    }

    /** The slot of the client of this request; made if there is none. */
    int slot(long hash, long nowUs) {
        int set = (int) hash & (tags.length - 1) & -WAYS;
        int tag = (int) (hash >>> 32);
        int oldest = set;
        for (int at = set; at < set + WAYS; at++) {
            if (tags[at] == tag && countedUntilUs[at] != NEVER) {
                countedUntilUs[at] = Math.max(countedUntilUs[at], nowUs);
                return at;
            }
            if (countedUntilUs[at] < countedUntilUs[oldest]) {
                oldest = at;
            }
        }
        forget(oldest);
        tags[oldest] = tag;
        countedUntilUs[oldest] = nowUs;
        used++;
        return oldest;
    }

    private void forget(int at) {
        ClientHistory history = histories[at];
        if (history != null) {
            historiesBytes -= history.bytes();
            histories[at] = null;
        }
        used -= countedUntilUs[at] == NEVER ? 0 : 1;
        countedUntilUs[at] = NEVER;
    }

    /** Until when what a client requested so far lasts, µs; no earlier than its last request. */
    long countedUntilUs(int at) {
        return countedUntilUs[at];
    }

    void countUntil(int at, long untilUs) {
        countedUntilUs[at] = untilUs;
    }

    /** Judges the names of a request by what is remembered of its client; nothing is remembered of who has nothing admitted. */
    Verdict judge(int at, int[] names, int times, long nowS, Limits limits) {
        ClientHistory history = histories[at];
        return (history == null ? new ClientHistory() : history).judge(names, times, nowS, limits);
    }

    private ClientHistory history(int at) {
        ClientHistory history = histories[at];
        if (history == null) {
            history = new ClientHistory();
            histories[at] = history;
            historiesBytes += history.bytes();
        }
        return history;
    }

    /** Remembers what a client named; where the memory is full, others are forgotten. */
    void take(int at, int[] names, long nowUs) {
        ClientHistory history = history(at);
        int before = history.bytes();
        history.take(names, nowUs);
        historiesBytes += history.bytes() - before;
        while (historiesBytes > historiesMost && forgetAnotherThan(at)) {}
    }

    /** Forgets one of those who name things: of the next few in the table, the one that has been away longest. */
    private boolean forgetAnotherThan(int kept) {
        int oldest = -1;
        int seen = 0;
        for (int passed = 0; passed < tags.length && seen < WAYS; passed++) {
            hand = (hand + 1) & (tags.length - 1);
            if (hand != kept && histories[hand] != null) {
                oldest = oldest < 0 || countedUntilUs[hand] < countedUntilUs[oldest] ? hand : oldest;
                seen++;
            }
        }
        if (oldest >= 0) {
            forget(oldest);
        }
        return oldest >= 0;
    }

    /** Places that are taken. */
    int used() {
        return used;
    }
}
