package io.fundingobservatory.gateway.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an answer does not contain, and why. */
record Missing(List<AbsentVenue> venues, List<LeftOut> symbols, List<UnknownValue> values) {
    static final Missing NOTHING = new Missing(List.of(), List.of(), List.of());

    /** A listed exchange in scope without a row. */
    record AbsentVenue(
            String venue, String reason, @Nullable Long sinceMs) {}

    /** Rows of an exchange that were left out, or that leave a field null. */
    record LeftOut(String venue, String reason, long count) {}

    /** A field outside the rows that is null. */
    record UnknownValue(String field, String reason) {}

    Missing and(UnknownValue value) {
        var more = new ArrayList<>(values);
        more.add(value);
        return new Missing(venues, symbols, List.copyOf(more));
    }
}
