package io.fundingobservatory.topics.records;

/** Where the settlement interval of a contract was read. */
public enum IntervalSource {
    /** In the same row as the rate. */
    ROW,
    /** In the exchange's list of instruments. */
    INSTRUMENT_LIST,
    /** The gap between two settlement instants that the exchange announced or published. */
    ANNOUNCED_SETTLEMENTS,
    /** Only in the exchange's documentation: it holds for every contract, or for every one that the list leaves out. */
    DOCUMENTED
}
