package io.fundingobservatory.topics;

import io.fundingobservatory.topics.records.Basis;
import org.jspecify.annotations.Nullable;

/**
 * How far back the list of paid funding goes that an exchange publishes for each contract. Where it ends after a number of rows, its
 * end is not the day on which the contract was listed.
 *
 * @param extent whether it covers the 31 days that a ledger is filled from
 * @param newestRows after how many rows of a contract it ends; null unless the extent is {@link Extent#CAPPED}
 * @param basis what a row is: a settlement, or what accrued in an hour where funding accrues continuously
 */
public record HistoryReach(Extent extent, @Nullable Integer newestRows, Basis basis) {
    /** Whether the list covers 31 days. */
    public enum Extent {
        /** 31 days and more. */
        WHOLE,
        /** Only the newest rows: 100 of them are 33 days at 8 h, 16 days at 4 h and 4 days at 1 h. */
        CAPPED,
        /** There is no list of payments; spreadsheets and samples of a running rate are none. */
        NONE
    }

    public static final HistoryReach WHOLE = new HistoryReach(Extent.WHOLE, null, Basis.SETTLED);

    /** A row for each hour with what accrued in it, or with the rate that the venue publishes for that hour, over 31 days. */
    public static final HistoryReach HOURLY_ACCRUALS = new HistoryReach(Extent.WHOLE, null, Basis.ACCRUED);

    public static final HistoryReach NONE = new HistoryReach(Extent.NONE, null, Basis.SETTLED);

    public HistoryReach {
        if ((extent == Extent.CAPPED) != (newestRows != null)) {
            throw new IllegalArgumentException("a number of rows belongs to a capped history");
        }
    }

    /** A list that ends after its newest rows, for any requested time. */
    public static HistoryReach newestRows(int rows) {
        return new HistoryReach(Extent.CAPPED, rows, Basis.SETTLED);
    }
}
