package io.fundingobservatory.standalone.top;

import java.net.http.HttpHeaders;
import java.util.concurrent.TimeUnit;

/** The pause that a refusal requires. */
final class RetryAfter {
    private static final long DEFAULT_SECONDS = 10;

    private RetryAfter() {}

    /** Ten seconds where the refusal does not name a number of them. */
    static long nanos(HttpHeaders headers) {
        String required = headers.firstValue("Retry-After").orElse("");
        return TimeUnit.SECONDS.toNanos(required.matches("\\d{1,9}") ? Long.parseLong(required) : DEFAULT_SECONDS);
    }
}
