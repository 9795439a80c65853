package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The fields that rows leave null, each under the reason why it is. */
public final class UnknownFields {
    private static final Map<String, Predicate<Rate>> REASONS = new LinkedHashMap<>();

    static {
        REASONS.put("funding_interval_not_published", rate -> rate.fundingIntervalH() == null);
        REASONS.put("funding_rate_not_known", rate -> rate.fundingRate() == null);
        // Null whenever the hours behind the figure are; the annualised figure follows it.
        REASONS.put("funding_rate_8h_not_known", rate -> rate.fundingRate8h() == null);
        REASONS.put("funding_rate_annualised_not_known", rate -> rate.fundingRateAnnualised() == null);
        REASONS.put("next_funding_not_published", rate -> rate.nextFundingMs() == null);
        REASONS.put("mark_price_not_published", rate -> rate.markPrice() == null);
        REASONS.put("index_price_not_published", rate -> rate.indexPrice() == null);
        REASONS.put("venue_time_not_published", rate -> rate.venueTimeMs() == null);
    }

    private UnknownFields() {}

    /** Whether a reason is that of a null field. */
    public static boolean isReason(String reason) {
        return REASONS.containsKey(reason);
    }

    static SortedMap<String, Integer> count(List<Rate> rows) {
        var counts = new TreeMap<String, Integer>();
        for (Rate row : rows) {
            REASONS.forEach((reason, unknown) -> {
                if (unknown.test(row)) {
                    counts.merge(reason, 1, Integer::sum);
                }
            });
        }
        return counts;
    }

    /** The symbols of the rows that leave a field null, by the reason. */
    static SortedMap<String, List<String>> symbols(List<Rate> rows) {
        var symbols = new TreeMap<String, List<String>>();
        for (Rate row : rows) {
            REASONS.forEach((reason, unknown) -> {
                if (unknown.test(row)) {
                    symbols.computeIfAbsent(reason, r -> new ArrayList<>(1)).add(row.symbol());
                }
            });
        }
        return symbols;
    }
}
