package io.fundingobservatory.ingest.pacing;

/** How often a host may be asked. */
public enum Pacing {
    /** A fifth of what the exchange has published. */
    PUBLISHED,

    /** One request after another, as fast as they are answered: for simulated exchanges alone. */
    NONE
}
