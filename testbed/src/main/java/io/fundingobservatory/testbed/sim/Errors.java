package io.fundingobservatory.testbed.sim;

/**
 * How a venue reports errors.
 *
 * @param body its own body for an invalid request
 * @param throttledBody its own body for too many requests
 * @param inBand whether these bodies come (also) with HTTP 200, so that a reader has to recognise them
 */
public record Errors(String body, String throttledBody, boolean inBand) {
    /** Errors that come with HTTP 200. */
    public static Errors inBand(String body, String throttledBody) {
        return new Errors(body, throttledBody, true);
    }

    /** Errors that come with an HTTP status of their own. */
    public static Errors byStatus(String body, String throttledBody) {
        return new Errors(body, throttledBody, false);
    }
}
