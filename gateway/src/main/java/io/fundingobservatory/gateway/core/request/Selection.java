package io.fundingobservatory.gateway.core.request;

import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Selects rows by their values. A row that leaves a deciding value null is not selected. */
public record Selection(List<Criterion<?>> criteria) {
    public static final Selection ALL = new Selection(List.of());

    private static final String CLASS = "asset_class";
    private static final String MIN_ABS_RATE = "min_abs_funding_rate_8h";
    private static final String SETTLES_BEFORE = "settles_before_ms";

    public static final List<String> PARAMETERS = List.of(CLASS, MIN_ABS_RATE, SETTLES_BEFORE);

    /**
     * A value that decides.
     *
     * @param field its name in rows
     */
    record Criterion<T>(String field, Function<Rate, @Nullable T> value, Predicate<T> fits) {
        private boolean holds(Rate row, boolean whereUnknown) {
            T known = value.apply(row);
            return known == null ? whereUnknown : fits.test(known);
        }
    }

    static Selection read(Query.Parameters parameters) {
        var criteria = new ArrayList<Criterion<?>>();
        Set<String> classes = parameters.of(CLASS);
        if (classes != null) {
            List<String> words =
                    Stream.of(AssetClass.values()).map(Selection::word).toList();
            if (!words.containsAll(classes)) {
                parameters.wrong(CLASS + " is one or more of " + String.join(", ", words));
            }
            criteria.add(new Criterion<>(CLASS, Rate::assetClass, of -> classes.contains(word(of))));
        }
        String rate = parameters.one(
                MIN_ABS_RATE,
                "[0-9]{1,3}(\\.[0-9]{1,18})?",
                "one fraction of notional per 8 hours, without a sign, such as 0.0005 for 0.05 %");
        if (rate != null) {
            var least = new BigDecimal(rate);
            criteria.add(new Criterion<>(
                    "funding_rate_8h", Rate::fundingRate8h, of -> of.abs().compareTo(least) >= 0));
        }
        String before = parameters.one(
                SETTLES_BEFORE,
                "[1-9][0-9]{12}",
                "one instant in milliseconds since 1970-01-01T00:00:00Z, of 13 digits");
        if (before != null) {
            long endMs = Long.parseLong(before);
            criteria.add(new Criterion<>("next_funding_ms", Rate::nextFundingMs, next -> next < endMs));
        }
        return new Selection(List.copyOf(criteria));
    }

    private static String word(AssetClass of) {
        return of.name().toLowerCase(Locale.ROOT);
    }

    /** The fields of rows by which it selects. */
    public Set<String> fields() {
        return criteria.stream().map(Criterion::field).collect(Collectors.toSet());
    }

    boolean holds(Rate row) {
        return criteria.stream().allMatch(each -> each.holds(row, false));
    }

    /** Whether a row may be selected for all that is known: a value that decides is null, and no other excludes it. */
    public boolean isUndecided(Rate row) {
        return !holds(row) && criteria.stream().allMatch(each -> each.holds(row, true));
    }
}
