package io.fundingobservatory.topics.records;

/** What the underlying of a contract is, in a venue's own classification. It is never derived from a name. */
public enum AssetClass {
    /** A coin or token. */
    CRYPTO,
    /** A share of a company, or a fund that the venue lists as one. */
    EQUITY,
    /** A metal, an energy product or another commodity. */
    COMMODITY,
    /** A currency. */
    FX,
    /** An index, of coins or of anything else. */
    INDEX
}
