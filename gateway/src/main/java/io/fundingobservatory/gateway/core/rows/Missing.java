package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.json.DeclaredField;
import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a response does not contain, and why.
 *
 * @param venues venues in scope without a row
 * @param symbols rows by venue and reason
 * @param values fields that are null or cut short
 * @param byReason whether the response lists venues and rows by reason alone
 */
public record Missing(List<AbsentVenue> venues, List<LeftOut> symbols, List<UnknownValue> values, boolean byReason) {
    public static final Missing NOTHING = new Missing(List.of(), List.of(), List.of(), false);

    /** Why no response can say yet whether its values are live. */
    public static final String SOURCE_UNKNOWN = "no exchange has reported yet";

    /** The fields of rows that have a reason for being null, by the reason. */
    private static final Map<String, DeclaredField<Rate>> REASONS = Rate.CODEC.fields().stream()
            .filter(field -> !field.about().whenNull().isEmpty())
            .collect(Collectors.toUnmodifiableMap(field -> field.about().whenNull(), field -> field));

    public record AbsentVenue(
            String venue, String reason, @Nullable Long sinceMs) {}

    /**
     * Rows of a venue that were left out, or that have a field that is null.
     *
     * @param named the symbols of those rows where the request is for few, at most {@link #NAMED}; empty
     *     where only the count is listed
     */
    public record LeftOut(String venue, String reason, long count, List<String> named) {
        private static final int NAMED = 50;

        public LeftOut(String venue, String reason, long count) {
            this(venue, reason, count, List.of());
        }

        /** Rows by their symbols, of which at most {@link #NAMED} are listed. */
        public static LeftOut named(String venue, String reason, List<String> symbols) {
            return new LeftOut(
                    venue, reason, symbols.size(), List.copyOf(symbols.subList(0, Math.min(NAMED, symbols.size()))));
        }
    }

    /** Rows that one reason concerns, and how many venues they are of. */
    public record Reason(String reason, long count, int venues) {
        private Reason and(Reason other) {
            return new Reason(reason, count + other.count, venues + other.venues);
        }
    }

    /** A field outside the rows that is null. */
    public record UnknownValue(String field, String reason) {}

    /**
     * Returns what a scope does not contain. For whole venues, rows that were left out and fields that are
     * null are counted by venue. Where the request names assets or symbols, or selects rows by a value, only entries
     * that concern them are listed. These entries are null fields, and the named venues that have no such row.
     *
     * @param states the venues in scope
     */
    public static Missing of(List<VenueState> states, Scope scope) {
        var absent = new ArrayList<AbsentVenue>();
        var left = new ArrayList<LeftOut>();
        for (VenueState state : states) {
            String venue = state.venue().id();
            if (!state.present()) {
                absent.add(state.absence());
            }
            if (scope.wholeVenues()) {
                left.addAll(state.leftOut());
                state.rows().unknown().forEach((reason, count) -> left.add(new LeftOut(venue, reason, count)));
                continue;
            }
            if (state.present()
                    && scope.namesSomeVenues()
                    && state.rows().rows(scope).isEmpty()) {
                absent.add(new AbsentVenue(venue, "no_matching_row", null));
            }
            if (state.present()
                    && (!scope.namesContracts()
                            || scope.unselected().byName().values().stream()
                                    .anyMatch(one -> state.rows().rows(one).isEmpty()))) {
                left.addAll(state.faults());
            }
            left.addAll(state.unknownIn(scope));
        }
        return new Missing(List.copyOf(absent), List.copyOf(left), List.of(), false);
    }

    /** The symbols of the rows that leave one of these fields null, by the reason; of all fields where {@code fields} is null. */
    static SortedMap<String, List<String>> unknownFields(List<EncodedRow> rows, @Nullable Set<String> fields) {
        var symbols = new TreeMap<String, List<String>>();
        for (EncodedRow row : rows) {
            REASONS.forEach((reason, field) -> {
                if ((fields == null || fields.contains(field.name()))
                        && field.value().apply(row.rate()) == null) {
                    symbols.computeIfAbsent(reason, r -> new ArrayList<>(1))
                            .add(row.rate().symbol());
                }
            });
        }
        return symbols;
    }

    public Missing only(Predicate<LeftOut> rows) {
        return new Missing(venues, symbols.stream().filter(rows).toList(), values, byReason);
    }

    /**
     * The same in the form of a response: null values count only where the response is about their field.
     *
     * @param fields fields of rows that the response is about; null for all
     */
    public Missing in(RowForm form, @Nullable Set<String> fields) {
        Missing about = fields == null
                ? this
                : only(left -> {
                    DeclaredField<Rate> field = REASONS.get(left.reason());
                    return field == null || fields.contains(field.name());
                });
        return form.byReason() ? new Missing(about.venues, about.symbols, about.values, true) : about;
    }

    public SortedMap<String, List<String>> venuesByReason() {
        return venues.stream()
                .collect(Collectors.groupingBy(
                        AbsentVenue::reason,
                        TreeMap::new,
                        Collectors.mapping(AbsentVenue::venue, Collectors.toList())));
    }

    /** Rows by reason, the most frequent first. */
    public List<Reason> rowsByReason() {
        var counts = new TreeMap<String, Reason>();
        symbols.forEach(left -> counts.merge(left.reason(), new Reason(left.reason(), left.count(), 1), Reason::and));
        return counts.values().stream()
                .sorted(Comparator.comparingLong(Reason::count).reversed())
                .toList();
    }

    /** The same, and one field more that is null, with the reason. */
    public Missing and(String field, String reason) {
        List<UnknownValue> more = Stream.concat(values.stream(), Stream.of(new UnknownValue(field, reason)))
                .toList();
        return new Missing(venues, symbols, more, byReason);
    }
}
