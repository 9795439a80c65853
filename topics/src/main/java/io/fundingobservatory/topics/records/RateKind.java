package io.fundingobservatory.topics.records;

/** What an exchange's published funding rate stands for. It is kept visible, never flattened. */
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
