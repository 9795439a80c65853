package io.fundingobservatory.topics.records;

/** The unit of an exchange's own funding value, and so what turns it into a fraction of notional. */
public enum RateUnit {
    /** A fraction of notional: 0.0001 is one basis point. */
    FRACTION,
    /** Percent of notional: 0.01 is one basis point. */
    PERCENT,
    /** Quote currency per one base coin; divided by the index price it is a fraction. */
    QUOTE_PER_COIN_AT_INDEX,
    /** Quote currency per one base coin; divided by the mark price it is a fraction. */
    QUOTE_PER_COIN_AT_MARK,
    /** Base coins per one unit of quote currency; multiplied by the index price it is a fraction. */
    COIN_PER_QUOTE_AT_INDEX
}
