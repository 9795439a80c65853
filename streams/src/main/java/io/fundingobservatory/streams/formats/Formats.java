package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.SettlementDay;

/** The formats of values in stores and on internal topics, each with its version. */
public final class Formats {
    public static final Format<ContractState> CONTRACT = new Format<>("contract", 3, Encoding.of(ContractState.class));
    public static final Format<PricedContract> PRICED_CONTRACT =
            new Format<>("priced-contract", 2, Encoding.of(PricedContract.class));
    public static final Format<EstimateError> ESTIMATE_ERROR =
            new Format<>("estimate-error", 3, Encoding.of(EstimateError.class));
    public static final Format<MovedDay> MOVED_DAY = new Format<>("moved-day", 2, Encoding.of(MovedDay.class));
    public static final Format<TableDigest> TABLE_DIGEST =
            new Format<>("table-digest", 3, Encoding.of(TableDigest.class));

    /** The number of buckets, then each with its count. */
    public static final Format<ErrorHistogram> ERROR_HISTOGRAM = new Format<>(
            "error-histogram",
            1,
            new Encoding<>(
                    (histogram, to) -> {
                        int[] cells = histogram.cells();
                        to.writeInt(cells.length / 2);
                        Encoding.writeInts(cells, to);
                    },
                    from -> new ErrorHistogram(Encoding.readInts(2L * from.readInt(), from))));

    public static final Format<SettlementDay> SETTLEMENT_DAY =
            new Format<>("settlement-day", 2, new Encoding<>(DayEncoding::write, DayEncoding::read));

    private Formats() {}
}
