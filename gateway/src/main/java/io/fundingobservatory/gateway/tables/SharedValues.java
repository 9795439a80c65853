package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Replaces equal values of rows by one object. The names of venues, assets and quote currencies, intervals,
 * scales and times of settlement repeat from row to row. Symbols repeat from one row of a contract to the next. Decoding makes a copy
 * for each. A row of 550 bytes then takes 310.
 */
final class SharedValues {
    /** Several times as many as there are contracts, assets and settlements at once. When there are more, all are let go. */
    private static final int MOST = 100_000;

    private static final int FEW_DIGITS = 5;
    private static final long MINUTE_MS = 60_000;

    private final Map<Object, Object> values = new ConcurrentHashMap<>();

    /** The same row with values that other rows have too. */
    Rate in(Rate row) {
        var decimals = new HashMap<Object, Object>();
        return Rate.CODEC.make(field -> {
            Object value = field.value().apply(row);
            return switch (value) {
                case String text -> shared(text);
                // Intervals and scales have few digits. On an interval of 8 hours both rates are one.
                case BigDecimal few when few.precision() < FEW_DIGITS -> shared(few);
                case BigDecimal decimal -> decimals.computeIfAbsent(decimal, first -> decimal);
                case Long atMs when atMs % MINUTE_MS == 0 -> shared(atMs); // settlements are at full minutes
                case null, default -> value;
            };
        });
    }

    private Object shared(Object value) {
        if (values.size() >= MOST) {
            values.clear();
        }
        Object first = values.putIfAbsent(value, value);
        return first == null ? value : first;
    }
}
