package io.fundingobservatory.topics.records;

/** What is observed: the exchanges themselves, or a stand-in for them. Never mixed in one data directory. */
public enum Source {
    /** The exchanges' own public APIs. */
    LIVE,
    /** Simulated exchanges; no rate is real. */
    SIMULATED,
    /** Recorded responses of the exchanges; real values of another day. */
    REPLAY
}
