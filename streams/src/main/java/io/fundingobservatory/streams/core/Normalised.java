package io.fundingobservatory.streams.core;

import io.fundingobservatory.topics.Rate;

/** What becomes of a quote: a rate per 8 hours, or a refusal. */
public sealed interface Normalised {
    /** The quote as a row of the service. */
    record Accepted(Rate rate) implements Normalised {}

    /** The quote contradicts itself or cannot be true; the reason is one of a small closed vocabulary. */
    record Refused(String reason) implements Normalised {}
}
