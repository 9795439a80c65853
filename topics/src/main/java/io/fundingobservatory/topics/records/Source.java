package io.fundingobservatory.topics.records;

/** What is observed: the exchanges themselves, or something that speaks in their place. Never mixed in one data directory. */
public enum Source {
    /** The exchanges' own public APIs. */
    LIVE,
    /** Simulated exchanges; no figure is real. */
    SIMULATED,
    /** Recorded answers of the exchanges; real figures of another day. */
    REPLAY
}
