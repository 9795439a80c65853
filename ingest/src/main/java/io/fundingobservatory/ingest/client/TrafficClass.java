package io.fundingobservatory.ingest.client;

/** The two kinds of requests between which our fifth of a published limit is divided. */
public enum TrafficClass {
    /** What makes the rows of the current observation: values, and the lists that explain them. */
    FIGURES,

    /** Settled rates of the past. */
    HISTORY
}
