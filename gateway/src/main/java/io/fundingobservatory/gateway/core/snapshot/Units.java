package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.form.Column;
import java.util.Map;
import java.util.TreeMap;

/** The units of numbers outside the rows of responses, by the name of their field. */
public final class Units {
    /** Numbers of the envelope itself. */
    public static final Map<String, String> ENVELOPE = Map.of(
            "generated_at_ms", Column.EPOCH_MS,
            "coverage", "exchanges of this response's scope that are in the current observation",
            "venues_listed", "exchanges",
            "row_count", "rows in this response",
            "since_ms", Column.EPOCH_MS,
            "count", "rows");

    /** The values of a response with rows in another form; with {@code numbers=text} decimals are texts in the same units. */
    static final Map<String, String> FORMED = and(Map.of("rows_matched", "rows before limit"));

    public static final Map<String, String> INDEX = and(Map.ofEntries(
            Map.entry("observation_refresh_s", "seconds between two observations of an exchange, about"),
            Map.entry("stale_after_s", "seconds between reading and generation after which a row is marked stale"),
            Map.entry(
                    "removed_after_s",
                    "seconds between reading and generation after which a row is removed and counted in missing"),
            Map.entry("pair_window_days", "days over which the funding difference of a pair is summed"),
            Map.entry("exchanges_listed", "exchanges"),
            Map.entry("points_per_minute", "points a client may spend in a minute in the long run"),
            Map.entry("points_at_once", "points a client may spend at once"),
            Map.entry("whole_list_points", "points"),
            Map.entry("pairs_points", "points; twice as many with order"),
            Map.entry("sweep_names", "different assets and symbols"),
            Map.entry("sweep_window_s", "seconds"),
            Map.entry("sweep_once_percent", "percent of those names"),
            Map.entry("names_per_sweep_window", "different assets and symbols within sweep_window_s at most"),
            Map.entry("names_per_hour", "different assets and symbols within an hour at most"),
            Map.entry("names_per_request", "names in one request at most")));

    /** The values of {@code /api/v1/carry} outside its rows. */
    static final Map<String, String> CARRY = and(Map.ofEntries(
            Map.entry("window_start_ms", Column.EPOCH_MS + ", not included"),
            Map.entry("window_end_ms", Column.EPOCH_MS + ", included"),
            Map.entry("rows_matched", "complete pairs in this response's scope, before limit"),
            Map.entry("limit", "entries of each list at most"),
            Map.entry("complete_count", "complete pairs in this response's scope"),
            Map.entry("incomplete_count", "incomplete pairs in this response's scope"),
            Map.entry("refused_count", "refused pairs in this response's scope"),
            Map.entry(
                    "complete_outside_scope", "complete pairs with a leg at an exchange outside this response's scope"),
            Map.entry(
                    "incomplete_outside_scope",
                    "incomplete pairs with a leg at an exchange outside this response's scope"),
            Map.entry("refused_outside_scope", "refused pairs with a leg at an exchange outside this response's scope"),
            Map.entry(
                    "settled_history_contracts", "contracts in scope whose settled rates of the last 31 days are read"),
            Map.entry(
                    "settled_history_contracts_read",
                    "contracts in scope of which all that the exchange shows has been read")));

    public static final Map<String, String> WAIT = and(Map.of("retry_after_s", "seconds"));

    public static final Map<String, String> MANIFEST = and(Map.of("bytes", "bytes of the identity representation"));

    private Units() {}

    private static Map<String, String> and(Map<String, String> own) {
        return and(ENVELOPE, own);
    }

    private static Map<String, String> and(Map<String, String> common, Map<String, String> own) {
        var all = new TreeMap<>(common);
        all.putAll(own);
        return all;
    }
}
