package io.fundingobservatory.ingest.client;

/** The two kinds of requests between which an allowance is divided: those of polls, and those for settled rates. */
public enum TrafficClass {
    POLLS,
    HISTORY
}
