package io.fundingobservatory.gateway.core.request;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request for the pair ranking.
 *
 * @param scope the venues that both legs must be at, and the assets
 * @param limit how many pairs of each list are returned at most
 */
public record PairQuery(Scope scope, int limit) {
    static final List<String> PARAMETERS = List.of("assets", "venues", "limit");
    private static final int LIMIT = 100;
    private static final int LIMIT_MOST = 1_000;
    private static final int LEAST_POINTS = 2;
    private static final int ROWS_OF_LEAST = 250;
    private static final int ROWS_OF_A_POINT = 250;

    static final PairQuery DEFAULT = new PairQuery(Scope.DEFAULT, LIMIT);

    /** The limit that was asked for; null when it is none. */
    public static @Nullable Integer limit(Parameters.Names names) {
        Set<String> listed = names.of("limit");
        if (listed == null) {
            return LIMIT;
        }
        String only = listed.size() == 1 ? listed.iterator().next() : "";
        if (!only.matches("[0-9]{1,4}")) {
            return null;
        }
        int limit = Integer.parseInt(only);
        return limit >= 1 && limit <= LIMIT_MOST ? limit : null;
    }

    /**
     * What an answer costs, in points: 2, and one more for every 250 rows beyond the first 250 of each list. Rendering and compressing
     * are most of the work, and both grow with the rows.
     */
    public static int points(int limit) {
        return LEAST_POINTS + Math.max(0, limit - ROWS_OF_LEAST + ROWS_OF_A_POINT - 1) / ROWS_OF_A_POINT;
    }

    /** Equal for requests that are answered alike. */
    public String canonical() {
        return "carry&limit=" + limit + "&" + scope.canonical();
    }
}
