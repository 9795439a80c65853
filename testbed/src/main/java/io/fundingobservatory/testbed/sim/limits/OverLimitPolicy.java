package io.fundingobservatory.testbed.sim.limits;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Response of a venue to requests beyond a limit.
 *
 * @param status the HTTP status; 200 where only the body reports it
 * @param body the body, if it is not the venue's usual one for this
 * @param waitHeader the header with the time to wait; null where there is none
 * @param waitIn unit of that header
 * @param lockouts how long the pool stays closed for a client over the limit, the first time, the second and
 *     so on. Empty: until the window has room
 * @param longer extension by each request during a lockout
 * @param banAfter refusals in a row before a ban; 0: never
 * @param banStatus the HTTP status while banned
 * @param ban how long the whole venue is closed for a banned address
 */
public record OverLimitPolicy(
        int status,
        @Nullable String body,
        @Nullable String waitHeader,
        WaitIn waitIn,
        List<Duration> lockouts,
        Duration longer,
        int banAfter,
        int banStatus,
        Duration ban) {

    /** The unit of a header with the wait. */
    public enum WaitIn {
        SECONDS,
        MILLISECONDS,
        /** The instant at which it ends, in seconds since 1970. */
        UNIX_SECONDS
    }

    static OverLimitPolicy status(int status) {
        return new OverLimitPolicy(status, null, null, WaitIn.SECONDS, List.of(), Duration.ZERO, 0, 0, Duration.ZERO);
    }

    /** Only in the body: HTTP 200 with the exchange's own code for it. */
    static OverLimitPolicy inBand() {
        return status(200);
    }

    OverLimitPolicy body(String page) {
        return new OverLimitPolicy(status, page, waitHeader, waitIn, lockouts, longer, banAfter, banStatus, ban);
    }

    OverLimitPolicy retryAfter() {
        return wait("Retry-After", WaitIn.SECONDS);
    }

    OverLimitPolicy wait(String header, WaitIn in) {
        return new OverLimitPolicy(status, body, header, in, lockouts, longer, banAfter, banStatus, ban);
    }

    OverLimitPolicy lockout(Duration... first) {
        return new OverLimitPolicy(status, body, waitHeader, waitIn, List.of(first), longer, banAfter, banStatus, ban);
    }

    OverLimitPolicy longer(Duration each) {
        return new OverLimitPolicy(status, body, waitHeader, waitIn, lockouts, each, banAfter, banStatus, ban);
    }

    OverLimitPolicy ban(int after, int status, Duration duration) {
        return new OverLimitPolicy(this.status, body, waitHeader, waitIn, lockouts, longer, after, status, duration);
    }
}
