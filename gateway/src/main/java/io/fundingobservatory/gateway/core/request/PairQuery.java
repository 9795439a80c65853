package io.fundingobservatory.gateway.core.request;

import java.util.Objects;
import java.util.Set;

/**
 * The query of a request for the pair ranking.
 *
 * @param scope the venues that both legs must be at, and the assets
 * @param form the form of each list of pairs; it has a limit
 */
public record PairQuery(Scope scope, RowForm form) {
    public static final int LIMIT_MOST = 1_000;

    /** Fields that are computed of the sums of each day. */
    private static final Set<String> DAILY = Set.of(
            "funding_difference_7d",
            "funding_difference_24h",
            "best_day.day_start_ms",
            "best_day.day_difference",
            "worst_day.day_start_ms",
            "worst_day.day_difference");

    private static final int DAILY_POINTS = 30;
    private static final int DAILY_PAIRS_OF_A_POINT = 7_500;
    private static final int LIMIT = 100;
    private static final int LEAST_POINTS = 2;
    private static final int ROWS_OF_LEAST = 250;
    private static final int ROWS_OF_A_POINT = 250;

    public static PairQuery of(Parameters.Names names, Scope scope) {
        return new PairQuery(scope, RowForm.of(names, LIMIT));
    }

    /** How many pairs of each list are returned at most. */
    public int limit() {
        return Objects.requireNonNull(form.limit());
    }

    /**
     * What a response costs, in points: 2, and one more for every 250 rows beyond the first 250 of each list. Rendering and compressing
     * are most of the work, and both grow with the rows.
     */
    public static int points(int limit) {
        return LEAST_POINTS + Math.max(0, limit - ROWS_OF_LEAST + ROWS_OF_A_POINT - 1) / ROWS_OF_A_POINT;
    }

    /**
     * The points that a response costs. An order other than the ranking compares all pairs, or those of the
     * named assets. 220,000 pairs take 0.1 s, or 1.1 s where the sums of each day have to be read.
     *
     * @param named how many pairs the named assets have
     */
    public int pointsOf(int named) {
        boolean daily = form.order() != null && DAILY.contains(form.order());
        if (scope.assets() != null) {
            int ordering = daily ? Math.min(DAILY_POINTS, Math.ceilDiv(named, DAILY_PAIRS_OF_A_POINT)) : 0;
            return Math.max(points(limit()), ordering);
        }
        int ordering = form.order() == null ? 0 : daily ? DAILY_POINTS : Route.LATEST.points;
        return Math.max(points(limit()), ordering);
    }
}
