package io.fundingobservatory.gateway.core.rows;

import java.util.Comparator;
import java.util.List;
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
    public static final UnknownValue SOURCE_UNKNOWN = new UnknownValue("meta.source", "no exchange has reported yet");

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

    public Missing only(Predicate<LeftOut> rows) {
        return new Missing(venues, symbols.stream().filter(rows).toList(), values, byReason);
    }

    public Missing grouped() {
        return new Missing(venues, symbols, values, true);
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
        return and(new UnknownValue(field, reason));
    }

    public Missing and(UnknownValue value) {
        List<UnknownValue> more =
                Stream.concat(values.stream(), Stream.of(value)).toList();
        return new Missing(venues, symbols, more, byReason);
    }
}
