package io.fundingobservatory.testbed.sim.server;

import java.time.Duration;

/** A way in which an exchange misbehaves, for every request to it until it is healed. */
public sealed interface Fault {
    /** HTTP 429 with {@code Retry-After} in seconds and the exchange's own throttled body. */
    record TooManyRequests(int retryAfterSeconds) implements Fault {}

    /** Any HTTP status with an HTML page: 403, 418, 451, 500, 502, 503. */
    record ServerError(int status) implements Fault {}

    /** HTTP 200 with an HTML page: a firewall's, a maintenance page. */
    record HtmlInsteadOfJson() implements Fault {}

    /** HTTP 200 with the first half of the JSON. */
    record Truncated() implements Fault {}

    /** The right response, after a while and at so many bytes a second; 0: as fast as it goes. */
    record Slow(Duration first, long bytesPerSecond) implements Fault {}

    /** HTTP 200 with the exchange's own error body. */
    record InBandError() implements Fault {}

    /** HTTP 200 without a body. */
    record Empty() implements Fault {}

    /** The connection is accepted and nothing is ever sent. */
    record NoResponse() implements Fault {}

    /** Every request gets the same body as the first one like it: HTTP 200, no error, nothing moves. */
    record Frozen() implements Fault {}

    /** HTTP 302. */
    record Redirect(String to) implements Fault {}

    /** A small gzip body that inflates to 40 MB: more than the reader unpacks of any response. */
    record GzipBomb() implements Fault {}

    /** A gzip body within the bounds of size and ratio that holds far more values than an exchange has contracts. */
    record Hostile(HostileBody body) implements Fault {}

    /** JSON that never ends. */
    record EndlessBody() implements Fault {}
}
