package io.fundingobservatory.topics.records;

/** Kind of a published funding rate. Every row names it. */
public enum RateKind {
    /** The running estimate of the settlement to come; it still moves. */
    ESTIMATE,
    /** Already fixed: exactly this will be charged at the settlement to come. */
    FIXED,
    /** The rate of the settlement that has just passed. */
    LAST_SETTLED,
    /** Accrues continuously; the value is the rate of this instant. */
    CONTINUOUS
}
