package io.fundingobservatory.gateway.core.request;

import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects rows by their values; null selects all. A row that leaves such a value null is not selected.
 *
 * @param classes the asset classes of rows
 * @param minAbsRate8h the least size of the 8-hour rate, whatever its sign, fraction of notional
 * @param settlesBeforeMs the instant before which the next settlement is announced, epoch ms UTC
 */
public record Selection(
        @Nullable SortedSet<AssetClass> classes,
        @Nullable BigDecimal minAbsRate8h,
        @Nullable Long settlesBeforeMs) {
    public static final Selection ALL = new Selection(null, null, null);

    private static final String CLASS = "asset_class";
    private static final String MIN_ABS_RATE = "min_abs_funding_rate_8h";
    private static final String SETTLES_BEFORE = "settles_before_ms";

    public static final List<String> PARAMETERS = List.of(CLASS, MIN_ABS_RATE, SETTLES_BEFORE);

    private static final Map<String, AssetClass> CLASSES = new LinkedHashMap<>();

    static {
        for (AssetClass each : AssetClass.values()) {
            CLASSES.put(each.name().toLowerCase(Locale.ROOT), each);
        }
    }

    static Selection read(Query.Parameters parameters) {
        Set<String> classes = parameters.of(CLASS);
        if (classes != null && !CLASSES.keySet().containsAll(classes)) {
            parameters.wrong(CLASS + " is one or more of " + String.join(", ", CLASSES.keySet()));
        }
        String rate = parameters.one(
                MIN_ABS_RATE,
                "[0-9]{1,3}(\\.[0-9]{1,18})?",
                "one fraction of notional per 8 hours, without a sign, such as 0.0005 for 0.05 %");
        String before = parameters.one(
                SETTLES_BEFORE,
                "[1-9][0-9]{12}",
                "one instant in milliseconds since 1970-01-01T00:00:00Z, of 13 digits");
        return classes == null && rate == null && before == null
                ? ALL
                : new Selection(
                        classes == null
                                ? null
                                : classes.stream()
                                        .filter(CLASSES::containsKey)
                                        .map(CLASSES::get)
                                        .collect(Collectors.toCollection(TreeSet::new)),
                        rate == null ? null : new BigDecimal(rate),
                        before == null ? null : Long.valueOf(before));
    }

    /** The fields of rows by which it selects. */
    public Set<String> fields() {
        return Stream.of(
                        classes == null ? "" : CLASS,
                        minAbsRate8h == null ? "" : "funding_rate_8h",
                        settlesBeforeMs == null ? "" : "next_funding_ms")
                .filter(field -> !field.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    boolean holds(Rate row) {
        return holds(row, false);
    }

    /** Whether a row may be selected for all that is known: a value that decides is null, and no other excludes it. */
    public boolean isUndecided(Rate row) {
        return !holds(row, false) && holds(row, true);
    }

    private boolean holds(Rate row, boolean whereUnknown) {
        AssetClass ofRow = row.assetClass();
        BigDecimal rate = row.fundingRate8h();
        Long next = row.nextFundingMs();
        return (classes == null || (ofRow == null ? whereUnknown : classes.contains(ofRow)))
                && (minAbsRate8h == null
                        || (rate == null ? whereUnknown : rate.abs().compareTo(minAbsRate8h) >= 0))
                && (settlesBeforeMs == null || (next == null ? whereUnknown : next < settlesBeforeMs));
    }
}
