package io.fundingobservatory.gateway.traffic;

import java.util.List;

/** Whether a request gets a response. */
public sealed interface Verdict {
    Verdict ADMITTED = new Admitted();

    record Admitted() implements Verdict {}

    /**
     * A refusal.
     *
     * @param retryAfterS seconds after which the same request is admitted
     * @param recent names that the client looked at within the hour, the latest first; empty where it named none
     */
    record Refused(Cause cause, int retryAfterS, List<String> recent) implements Verdict {
        public Refused(Cause cause, int retryAfterS) {
            this(cause, retryAfterS, List.of());
        }

        public Refused {
            recent = List.copyOf(recent);
        }
    }

    enum Cause {
        /** Too much in too short a time. */
        VOLUME,
        /** Many different symbols or assets in requests of their own, most of them looked at once. */
        SWEEP,
        /** Too many different symbols or assets, however they are named. */
        NAMES
    }
}
