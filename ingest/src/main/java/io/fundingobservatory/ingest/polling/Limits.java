package io.fundingobservatory.ingest.polling;

/** How often a host may be asked. */
public enum Limits {
    /** A fifth of what the exchange has published. */
    PUBLISHED,

    /** One request after another, as fast as they are answered: for simulated exchanges alone. */
    NONE
}
