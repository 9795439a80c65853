package io.fundingobservatory.ingest.client;

/** How often a host may be asked. */
public enum RateLimitMode {
    /** A fifth of what the exchange has published. */
    PUBLISHED,

    /** One request after another, as fast as they are answered: for simulated exchanges alone. */
    NONE
}
