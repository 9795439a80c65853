package io.fundingobservatory.streams.ledger;

/** The children that processors forward to, by what they carry. */
public final class Outputs {
    /** Each new observation: {@code rates.normalised}. */
    public static final String OBSERVATIONS = "rates-normalised";

    /** Each change of a row, its removal included: {@code rates.latest}. */
    public static final String LATEST = "rates-latest";

    /** Each payment, new or better known: {@code settlements}. */
    public static final String SETTLEMENTS = "settlement-records";

    /** What pair tables have to know, under the asset. */
    public static final String PAIR_EVENTS = "pair-events";

    /** How far readings were from what was settled, under the exchange. */
    public static final String ESTIMATE_ERRORS = "estimate-errors";

    /** Records as they came, with reason, stage and origin in their headers: {@code dead-letters}. */
    public static final String REFUSED = "refused";

    private Outputs() {}
}
