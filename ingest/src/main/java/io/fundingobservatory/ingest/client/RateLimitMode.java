package io.fundingobservatory.ingest.client;

/** How often a host gets requests. */
public enum RateLimitMode {
    /** A fifth of what the exchange has published. */
    PUBLISHED,

    /** One request after another, without a pause: for simulated exchanges alone. */
    NONE
}
