package io.fundingobservatory.streams.core;

import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;

/** What becomes of a quote: a rate per 8 hours, or a rejection. */
public sealed interface Normalised {
    /** The quote as a row of the service. */
    record Accepted(Rate rate) implements Normalised {}

    /** The quote contradicts itself or cannot be true; the reason is one of a small closed vocabulary. */
    record Rejected(String reason) implements Normalised {}

    /** What becomes of a settlement that a venue published. */
    sealed interface Settlement {}

    /** The fraction of notional that was charged at that one settlement; longs paid shorts when positive. */
    record Settled(BigDecimal fundingRate) implements Settlement {}

    /** The settlement cannot be told as a fraction; the reason is one of a small closed vocabulary. */
    record Unclear(String reason) implements Settlement {}
}
