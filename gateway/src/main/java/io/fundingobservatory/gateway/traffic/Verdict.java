package io.fundingobservatory.gateway.traffic;

/** Whether a request gets a response. */
public sealed interface Verdict {
    record Admitted() implements Verdict {}

    record Refused(Cause cause, int retryAfterS) implements Verdict {}

    enum Cause {
        /** Too much in too short a time. */
        VOLUME,
        /** Many different symbols or assets in requests of their own, most of them looked at once. */
        SWEEP,
        /** Too many different symbols or assets, however they are named. */
        NAMES,
        /** Too many connections at once. */
        CONNECTIONS,
        /** Too much that was requested and not read. */
        UNREAD,
        /** Too many different responses that are being rendered. */
        RENDERING
    }

    Verdict ADMITTED = new Admitted();
}
