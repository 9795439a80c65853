package io.fundingobservatory.ingest.client;

/** The two kinds of requests between which an allowance is divided. */
public enum TrafficClass {
    /** Requests of polls: rates, prices, and the lists that explain them. */
    RATES,

    /** Requests for settled rates. */
    HISTORY
}
