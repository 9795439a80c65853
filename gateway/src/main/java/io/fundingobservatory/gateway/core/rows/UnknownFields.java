package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The fields that rows leave null, each under the reason why it is. */
public final class UnknownFields {
    static final String ASSET_CLASS = "asset_class_not_published";

    private static final Map<String, Unknown> REASONS = new LinkedHashMap<>();

    static {
        put(ASSET_CLASS, "asset_class", Rate::assetClass);
        put("funding_interval_not_published", "funding_interval_h", Rate::fundingIntervalH);
        put("funding_rate_not_known", "funding_rate", Rate::fundingRate);
        // Null whenever the hours behind the value are; the annualised value follows it.
        put("funding_rate_8h_not_known", "funding_rate_8h", Rate::fundingRate8h);
        put("funding_rate_annualised_not_known", "funding_rate_annualised", Rate::fundingRateAnnualised);
        put("next_funding_not_published", "next_funding_ms", Rate::nextFundingMs);
        put("mark_price_not_published", "mark_price", Rate::markPrice);
        put("index_price_not_published", "index_price", Rate::indexPrice);
        put("venue_time_not_published", "venue_time_ms", Rate::venueTimeMs);
    }

    private UnknownFields() {}

    private record Unknown(String field, Predicate<Rate> in) {}

    private static void put(String reason, String field, Function<Rate, @Nullable Object> value) {
        REASONS.put(reason, new Unknown(field, rate -> value.apply(rate) == null));
    }

    /** The field that is null for a reason; null where the reason is that of a row. */
    public static @Nullable String field(String reason) {
        Unknown unknown = REASONS.get(reason);
        return unknown == null ? null : unknown.field();
    }

    /** How many rows leave a field null, by the reason. */
    static SortedMap<String, Integer> count(List<Rate> rows) {
        var counts = new TreeMap<String, Integer>();
        symbols(rows).forEach((reason, named) -> counts.put(reason, named.size()));
        return counts;
    }

    /** The symbols of the rows that leave a field null, by the reason. */
    static SortedMap<String, List<String>> symbols(List<Rate> rows) {
        var symbols = new TreeMap<String, List<String>>();
        for (Rate row : rows) {
            REASONS.forEach((reason, unknown) -> {
                if (unknown.in().test(row)) {
                    symbols.computeIfAbsent(reason, r -> new ArrayList<>(1)).add(row.symbol());
                }
            });
        }
        return symbols;
    }
}
