package io.fundingobservatory.gateway.traffic;

/** Whether a request is answered. */
public sealed interface Verdict {
    /** It is. */
    record Admitted() implements Verdict {}

    /**
     * It is not.
     *
     * @param shape what the refusal is about
     * @param retryAfterS when to come back, seconds
     */
    record Refused(Shape shape, int retryAfterS) implements Verdict {}

    /** What can be wrong with traffic. */
    enum Shape {
        /** Too much in too short a time. */
        VOLUME,
        /** Many different symbols or assets in requests of their own, most of them looked at once. */
        SWEEP,
        /** Too many different symbols or assets, however they are named. */
        NAMES,
        /** Too many connections at once. */
        CONNECTIONS,
        /** Too much that was asked for and not read. */
        UNREAD
    }

    Verdict ADMITTED = new Admitted();
}
