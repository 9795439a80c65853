package io.fundingobservatory.testbed.sim.limits;

import java.time.Duration;
import java.util.Locale;

/**
 * What a client has drawn on one pool since the start.
 *
 * @param units units of the requests that got a response
 * @param refused requests that were refused, or would have been where nothing is enforced
 * @param most the most units in any rolling window
 * @param costliest the most units of one request
 */
public record PoolUse(
        String venue, LimitPool pool, long requests, long units, long refused, long most, long costliest) {
    /** The highest share of the pool in any window; 0 where no limit is known. */
    public double highestPart() {
        return pool.certainty() == LimitPool.Certainty.UNKNOWN ? 0 : (double) most / pool.units();
    }

    /**
     * Returns whether a client of so long a run has kept to a share in every rolling window. Where one
     * request exceeds the share of a window, it must send one request at a time and keep to the share on
     * average.
     */
    public boolean isWithin(double highestPart, Duration run) {
        double allowed = highestPart * pool.units();
        double windows = Math.max(1, (double) run.toMillis() / pool.window().toMillis());
        return most <= allowed || (costliest > allowed && most <= costliest && units <= allowed * windows + costliest);
    }

    /** A line for people: {@code binance weight of fapi: 34 requests, at most 60 of 2400 units in PT1M (2.5 %), 0 refused}. */
    public String line() {
        Duration window = pool.window();
        String limit =
                pool.certainty() == LimitPool.Certainty.UNKNOWN ? "an unknown limit" : Long.toString(pool.units());
        return String.format(
                Locale.ROOT,
                "%-12s %-40s %7d requests, at most %5d of %s units in %s (%.1f %%%s), %d refused",
                venue,
                pool.name(),
                requests,
                most,
                limit,
                window,
                100 * highestPart(),
                pool.certainty() == LimitPool.Certainty.CAUTIOUS ? ", cautious reading" : "",
                refused);
    }
}
