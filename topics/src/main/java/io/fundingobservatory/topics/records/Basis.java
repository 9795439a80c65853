package io.fundingobservatory.topics.records;

/** What a settlement's rate rests on, best first: a better basis replaces a worse one for the same contract and instant. */
public enum Basis {
    /** The exchange published it as settled. */
    SETTLED,
    /** A continuous venue's accrual over one whole UTC hour. */
    ACCRUED,
    /** Our last reading of the running rate, taken at most 120 s before the settlement. */
    ESTIMATE
}
