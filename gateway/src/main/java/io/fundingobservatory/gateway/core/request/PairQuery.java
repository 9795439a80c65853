package io.fundingobservatory.gateway.core.request;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request for the pair ranking.
 *
 * @param scope the venues that both legs must be at, and the assets
 * @param form the form of each list of pairs; it has a limit
 * @param minPositiveDays the least number of days on which the difference was positive; null selects all pairs
 */
public record PairQuery(Scope scope, RowForm form, @Nullable Integer minPositiveDays) {
    static final String MIN_POSITIVE_DAYS = "min_positive_days";

    private static final int LIMIT_MOST = 1_000;

    private static final int LIMIT = 100;

    public static PairQuery of(Parameters.Names names, Scope scope) {
        String days = names.single(MIN_POSITIVE_DAYS);
        return new PairQuery(scope, RowForm.of(names, LIMIT), days == null ? null : Integer.valueOf(days));
    }

    /** Returns why the parameters cannot be read, with what they take; null when they can. */
    public static @Nullable String problem(Parameters.Names names, RowForm.Fields known) {
        String days = names.single(MIN_POSITIVE_DAYS);
        return days == null || days.matches("[1-9]|[12][0-9]|30")
                ? RowForm.problem(names, known, LIMIT_MOST)
                : MIN_POSITIVE_DAYS + " is one whole number from 1 to 30";
    }

    /** Whether pairs of so many positive days are returned; null is a number that is not known. */
    public boolean selects(@Nullable Long positiveDays) {
        return minPositiveDays == null || (positiveDays != null && positiveDays >= minPositiveDays);
    }

    /** How many pairs of each list are returned at most. */
    public int limit() {
        return Objects.requireNonNull(form.limit());
    }
}
