package io.fundingobservatory.streams.settlements;

/**
 * The 30-day window (T − 720 h, T], open on the left and closed on the right.
 *
 * @param endMs T, a whole UTC hour, epoch ms
 */
public record Window(long endMs) {
    /** 24 hours. */
    public static final long DAY_MS = 86_400_000;

    /** The most days that a difference is summed over. */
    public static final int DAYS = 30;

    /** Continuous accrual is booked by it. */
    public static final long HOUR_MS = 3_600_000;

    private static final long LAST_OBSERVATIONS_ARRIVE_MS = 600_000;

    public Window {
        if (Math.floorMod(endMs, HOUR_MS) != 0) {
            throw new IllegalArgumentException("a window ends on a whole hour");
        }
    }

    /** The window of an instant: T is the last whole hour at least 10 minutes before it. */
    public static Window at(long generatedAtMs) {
        return new Window(Math.floorDiv(generatedAtMs - LAST_OBSERVATIONS_ARRIVE_MS, HOUR_MS) * HOUR_MS);
    }

    /** From when on a window is the present one, epoch ms. */
    public static long earliestAtMs(long endMs) {
        return endMs + LAST_OBSERVATIONS_ARRIVE_MS;
    }

    /** T − 720 h; not itself in the window. */
    public long startMs() {
        return startMs(DAYS);
    }

    /** The start of the last so many days; not itself in them. */
    public long startMs(int days) {
        return endMs - days * DAY_MS;
    }

    /** Which of the 30 days an instant of the window belongs to: 0 is the first, 29 the one that ends at T. */
    public int dayOf(long epochMs) {
        return DAYS - 1 - (int) ((endMs - epochMs) / DAY_MS);
    }
}
