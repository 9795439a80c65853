package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.records.Rate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Replaces equal values of rows by one object. The names of venues, assets and quote currencies, intervals,
 * scales and times of settlement repeat from row to row. Symbols repeat from one row of a contract to the next. Decoding makes a copy
 * for each. A row of 550 bytes then takes 310.
 */
final class SharedValues {
    /** Several times as many as there are contracts, assets and settlements at once. When there are more, all are let go. */
    private static final int MOST = 100_000;

    private final Map<Object, Object> values = new ConcurrentHashMap<>();

    /** The same row with values that other rows have too. */
    @SuppressWarnings(
            "BigDecimalEquals") // decimals are shown with the digits that they have: those of another scale are others
    Rate in(Rate row) {
        return new Rate(
                shared(row.venue()),
                shared(row.symbol()),
                shared(row.asset()),
                shared(row.quote()),
                row.contractType(),
                row.assetClass(),
                sharedOrNull(row.dex()),
                row.fundingRate8h(),
                sharedOrNull(row.fundingIntervalH()),
                row.fundingIntervalSource(),
                // On an interval of 8 hours it is the 8-hour rate.
                row.fundingRate() != null && row.fundingRate().equals(row.fundingRate8h())
                        ? row.fundingRate8h()
                        : row.fundingRate(),
                row.rateKind(),
                row.fundingRateAnnualised(),
                sharedOrNull(row.nextFundingMs()),
                row.markPrice(),
                row.indexPrice(),
                shared(row.priceScale()),
                row.venueTimeMs(),
                row.observedAtMs(),
                row.stale());
    }

    private <T> @Nullable T sharedOrNull(@Nullable T value) {
        return value == null ? null : shared(value);
    }

    @SuppressWarnings("unchecked") // equal values of these types are of one type
    private <T> T shared(T value) {
        if (values.size() >= MOST) {
            values.clear();
        }
        Object first = values.putIfAbsent(value, value);
        return first == null ? value : (T) first;
    }
}
