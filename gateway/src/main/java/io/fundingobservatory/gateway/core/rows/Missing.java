package io.fundingobservatory.gateway.core.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an answer does not contain, and why. */
public record Missing(List<AbsentVenue> venues, List<LeftOut> symbols, List<UnknownValue> values) {
    /** Nothing is missing. */
    public static final Missing NOTHING = new Missing(List.of(), List.of(), List.of());

    /** Why no answer can say yet whether its figures are live. */
    public static final UnknownValue SOURCE_UNKNOWN = new UnknownValue("meta.source", "no exchange has reported yet");

    /** A listed exchange in scope without a row. */
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

        /** Rows of which only the count is listed. */
        public LeftOut(String venue, String reason, long count) {
            this(venue, reason, count, List.of());
        }

        /** Rows by their symbols, of which at most {@link #NAMED} are listed. */
        public static LeftOut named(String venue, String reason, List<String> symbols) {
            return new LeftOut(
                    venue, reason, symbols.size(), List.copyOf(symbols.subList(0, Math.min(NAMED, symbols.size()))));
        }
    }

    /** A field outside the rows that is null. */
    public record UnknownValue(String field, String reason) {}

    /** The same, with rows of these venues alone. */
    public Missing ofVenues(Set<String> shown) {
        return new Missing(
                venues,
                symbols.stream().filter(left -> shown.contains(left.venue())).toList(),
                values);
    }

    /** The same, and one field more that is null, with the reason. */
    public Missing and(String field, String reason) {
        return and(new UnknownValue(field, reason));
    }

    /** The same, and one field more that is null. */
    public Missing and(UnknownValue value) {
        var more = new ArrayList<>(values);
        more.add(value);
        return new Missing(venues, symbols, List.copyOf(more));
    }
}
