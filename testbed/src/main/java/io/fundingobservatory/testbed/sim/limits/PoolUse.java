package io.fundingobservatory.testbed.sim.limits;

import java.time.Duration;
import java.util.Locale;

/**
 * What a client has drawn on one pool since the start.
 *
 * @param units units of the requests that were answered
 * @param refused requests that were refused, or would have been where nothing is enforced
 * @param most the most units in any rolling window
 */
public record PoolUse(String venue, LimitPool pool, long requests, long units, long refused, long most) {
    /** The highest share of the pool in any window; 0 where no limit is known. */
    public double share() {
        return pool.reading() == LimitPool.Reading.UNKNOWN ? 0 : (double) most / pool.units();
    }

    /** A line for people: {@code binance weight of fapi: 34 requests, at most 60 of 2400 units in PT1M (2.5 %), 0 refused}. */
    public String line() {
        Duration window = pool.window();
        String limit = pool.reading() == LimitPool.Reading.UNKNOWN ? "an unknown limit" : Long.toString(pool.units());
        return String.format(
                Locale.ROOT,
                "%-12s %-40s %7d requests, at most %5d of %s units in %s (%.1f %%%s), %d refused",
                venue,
                pool.name(),
                requests,
                most,
                limit,
                window,
                100 * share(),
                pool.reading() == LimitPool.Reading.CAUTIOUS ? ", cautious reading" : "",
                refused);
    }
}
