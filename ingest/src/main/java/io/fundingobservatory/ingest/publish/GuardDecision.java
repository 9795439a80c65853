package io.fundingobservatory.ingest.publish;

/** What a guard did about one poll of a venue; the reason is one readable line for the venue's status. */
public record GuardDecision(Guard guard, Action action, String reason) {
    /** The guards; the name in lower case is the metric's label. */
    public enum Guard {
        /** All rates off by one factor. */
        COMMON_FACTOR,
        /** Fewer rows than usual. */
        ROW_COUNT,
        /** Rates beyond ±3 % per 8 hours. */
        UNUSUAL_RATE,
        /** The exchange's time of a value is ahead of ours. */
        VENUE_TIME,
        /** A listed interval that announced settlements contradict. */
        INTERVAL,
        /** Values that no longer move. */
        FROZEN
    }

    /** What became of the rows. */
    public enum Action {
        /** Not published. */
        HELD,
        /** Published, and reported. */
        WARNED,
        /** Published again after a quarantine. */
        RELEASED,
        /** Published although the guard objects, because the setting {@code observatory.ingest.trust} names the venue. */
        OVERRULED
    }
}
