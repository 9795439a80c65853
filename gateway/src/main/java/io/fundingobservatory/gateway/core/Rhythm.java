package io.fundingobservatory.gateway.core;

import java.util.Arrays;

/**
 * When the next snapshot is to be expected, from how long the last ones were served: as long as the middle one of them. Exchanges
 * are read one after another, so with many of them a snapshot lasts about a second, with few or none longer. One thread uses it.
 */
public final class Rhythm {
    private static final int SPANS = 15;

    private final long[] spans = new long[SPANS];
    private int known;
    private long last = Long.MIN_VALUE;

    /**
     * Notes a snapshot.
     *
     * @param generatedAtMs when it is put together, epoch ms UTC, not before the last one
     * @return when the one after it is expected, epoch ms UTC; the same instant as long as nothing is known
     */
    public long next(long generatedAtMs) {
        if (last != Long.MIN_VALUE) {
            spans[known % SPANS] = generatedAtMs - last;
            known++;
        }
        last = generatedAtMs;
        if (known == 0) {
            return generatedAtMs;
        }
        long[] sorted = Arrays.copyOf(spans, Math.min(known, SPANS));
        Arrays.sort(sorted);
        return generatedAtMs + sorted[(sorted.length - 1) / 2];
    }
}
