package io.fundingobservatory.gateway.core.request;

import java.util.Objects;

/**
 * The query of a request for the pair ranking.
 *
 * @param scope the venues that both legs must be at, and the assets
 * @param form the form of each list of pairs; it has a limit
 */
public record PairQuery(Scope scope, RowForm form) {
    public static final int LIMIT_MOST = 1_000;

    private static final int LIMIT = 100;

    public static PairQuery of(Parameters.Names names, Scope scope) {
        return new PairQuery(scope, RowForm.of(names, LIMIT));
    }

    /** How many pairs of each list are returned at most. */
    public int limit() {
        return Objects.requireNonNull(form.limit());
    }
}
