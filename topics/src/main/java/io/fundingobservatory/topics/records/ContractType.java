package io.fundingobservatory.topics.records;

/** How a perpetual contract is margined and paid out. */
public enum ContractType {
    /** Priced, margined and paid in the quote currency. */
    LINEAR,
    /** Priced in the quote currency, margined and paid in the base coin. */
    INVERSE,
    /** Priced in the quote currency, paid in a third currency at a fixed multiplier. */
    QUANTO
}
