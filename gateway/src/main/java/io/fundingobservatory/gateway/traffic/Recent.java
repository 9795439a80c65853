package io.fundingobservatory.gateway.traffic;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The clients that asked last, in a table whose size never changes: sets of eight places, found by a hash. A client that is not
 * there takes the place of the one in its set that has been away longest. Two clients are taken for one about once in five hundred
 * million.
 */
final class Recent {
    private static final int WAYS = 8;
    /** A tag, a time and a reference. */
    private static final int PLACE_BYTES = 16;

    private static final long NEVER = Long.MIN_VALUE / 2;

    private final int[] tags;
    private final long[] paidUntilUs;
    private final @Nullable Looker[] lookers;
    private final long lookersMost;
    private long lookersBytes;
    private int hand;
    private int used;

    /** A quarter of the memory, at most, is the table; the rest is for what is remembered of those who name things. */
    Recent(long memoryBytes) {
        int places = Math.max(WAYS, (int) Math.min(1 << 24, Long.highestOneBit(memoryBytes / 4 / PLACE_BYTES)));
        tags = new int[places];
        paidUntilUs = new long[places];
        lookers = new Looker[places];
        lookersMost = memoryBytes - (long) places * PLACE_BYTES;
        Arrays.fill(paidUntilUs, NEVER);
    }

    /** The place of a client that asks now, which is made if there is none. */
    int place(long hash, long nowUs) {
        int set = (int) hash & (tags.length - 1) & -WAYS;
        int tag = (int) (hash >>> 32);
        int oldest = set;
        for (int at = set; at < set + WAYS; at++) {
            if (tags[at] == tag && paidUntilUs[at] != NEVER) {
                paidUntilUs[at] = Math.max(paidUntilUs[at], nowUs);
                return at;
            }
            if (paidUntilUs[at] < paidUntilUs[oldest]) {
                oldest = at;
            }
        }
        forget(oldest);
        tags[oldest] = tag;
        paidUntilUs[oldest] = nowUs;
        used++;
        return oldest;
    }

    private void forget(int at) {
        Looker looker = lookers[at];
        if (looker != null) {
            lookersBytes -= looker.bytes();
            lookers[at] = null;
        }
        used -= paidUntilUs[at] == NEVER ? 0 : 1;
        paidUntilUs[at] = NEVER;
    }

    /** Until when what a client asked for so far lasts, µs; no earlier than it asked last. */
    long paidUntilUs(int at) {
        return paidUntilUs[at];
    }

    void pay(int at, long untilUs) {
        paidUntilUs[at] = untilUs;
    }

    /** What is remembered of a client that names things. */
    Looker looker(int at) {
        Looker looker = lookers[at];
        if (looker == null) {
            looker = new Looker();
            lookers[at] = looker;
            lookersBytes += looker.bytes();
        }
        return looker;
    }

    /** Remembers what a client named; where the memory is full, others are forgotten. */
    void take(int at, int[] names, long nowS) {
        Looker looker = looker(at);
        int before = looker.bytes();
        looker.take(names, nowS);
        lookersBytes += looker.bytes() - before;
        while (lookersBytes > lookersMost && forgetAnotherThan(at)) {}
    }

    /** Forgets one of those who name things: of the next few in the table, the one that has been away longest. */
    private boolean forgetAnotherThan(int kept) {
        int oldest = -1;
        int seen = 0;
        for (int passed = 0; passed < tags.length && seen < WAYS; passed++) {
            hand = (hand + 1) & (tags.length - 1);
            if (hand != kept && lookers[hand] != null) {
                oldest = oldest < 0 || paidUntilUs[hand] < paidUntilUs[oldest] ? hand : oldest;
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
