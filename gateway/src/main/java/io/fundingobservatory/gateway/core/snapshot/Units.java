package io.fundingobservatory.gateway.core.snapshot;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The unit of every number, by the name of its field; each kind of response states those it can hold. */
public final class Units {
    private static final String EPOCH_MS = "milliseconds since 1970-01-01T00:00:00Z";

    /** Numbers of the envelope itself. */
    public static final Map<String, String> ENVELOPE = Map.of(
            "generated_at_ms", EPOCH_MS,
            "coverage", "exchanges with at least one row in the current observation, in this response's scope",
            "venues_listed", "exchanges",
            "row_count", "rows in this response",
            "since_ms", EPOCH_MS,
            "count", "rows");

    static final Map<String, String> LATEST = and(Map.ofEntries(
            Map.entry("funding_rate_8h", "fraction of notional per 8 hours; longs pay shorts when positive"),
            Map.entry("funding_interval_h", "hours between two settlements"),
            Map.entry("funding_rate", "fraction of notional per funding_interval_h; longs pay shorts when positive"),
            Map.entry("funding_rate_annualised", "fraction of notional per 365 days, simple, hypothetical"),
            Map.entry("next_funding_ms", EPOCH_MS),
            Map.entry("mark_price", "units of quote per price_scale coins of asset"),
            Map.entry("index_price", "units of quote per price_scale coins of asset"),
            Map.entry("price_scale", "coins of asset that one priced unit stands for"),
            Map.entry("venue_time_ms", EPOCH_MS),
            Map.entry("observed_at_ms", EPOCH_MS)));

    /** Numbers of {@code /api/v1/latest} in another form; with {@code numbers=text} decimals are texts in the same units. */
    static final Map<String, String> LATEST_FORMED = and(LATEST, Map.of("rows_matched", "rows before limit"));

    static final Map<String, String> VENUES = and(Map.ofEntries(
            Map.entry("symbols", "rows in the current observation"),
            Map.entry("last_observed_ms", EPOCH_MS),
            Map.entry("funding_interval_h", "hours between two settlements"),
            Map.entry("age_p50_s", "seconds between reading and generation, median over the exchange's rows"),
            Map.entry("age_p95_s", "seconds between reading and generation, 95th percentile over the exchange's rows"),
            Map.entry("counted_since_ms", EPOCH_MS),
            Map.entry(
                    "polls_24h",
                    "polls since the full hour 24 hours ago, or since counted_since_ms where that is later"),
            Map.entry("failed_polls_24h", "those of polls_24h that brought no rate"),
            Map.entry("missing_s_24h", "seconds of the same time in which no rate was younger than 180 s"),
            Map.entry(
                    "presence_30d",
                    "fraction of the time since 00:00 UTC 30 days ago in which a rate was younger than 180 s,"
                            + " rounded down"),
            Map.entry("settled_history_contracts", "contracts whose settled rates of the last 31 days are read"),
            Map.entry("settled_history_contracts_read", "contracts of which all that the exchange shows has been read"),
            Map.entry("closed_at_ms", EPOCH_MS),
            Map.entry("closed_until_ms", EPOCH_MS),
            Map.entry(
                    "settled_history_newest_rows",
                    "settlements of one contract, the newest, after which the exchange's list of them ends"),
            Map.entry(
                    "estimate_error_p50",
                    "fraction of notional per 8 hours, median of |settled - estimate| over 30 days"),
            Map.entry(
                    "estimate_error_p95",
                    "fraction of notional per 8 hours, 95th percentile of |settled - estimate| over 30 days"),
            Map.entry("estimate_error_settlements", "settlements of 30 days of which both rates are known")));

    /** Numbers of {@code /api/v1/venues} in another form. */
    static final Map<String, String> VENUES_FORMED = and(VENUES, Map.of("rows_matched", "rows before limit"));

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
            Map.entry("pairs_points", "points, for a limit up to 250; one more for every 250 beyond"),
            Map.entry("sweep_names", "different assets and symbols"),
            Map.entry("sweep_window_s", "seconds"),
            Map.entry("sweep_once_percent", "percent of those names"),
            Map.entry("names_per_sweep_window", "different assets and symbols within sweep_window_s at most"),
            Map.entry("names_per_hour", "different assets and symbols within an hour at most"),
            Map.entry("names_per_request", "names in one request at most")));

    static final Map<String, String> CARRY = and(Map.ofEntries(
            Map.entry("window_start_ms", EPOCH_MS + ", not included"),
            Map.entry("window_end_ms", EPOCH_MS + ", included"),
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
            Map.entry("rank", "place in this response's scope, 1 for the largest funding_difference_30d"),
            Map.entry(
                    "funding_difference_30d",
                    "fraction of notional over 30 days: the short leg's sum less the long leg's"),
            Map.entry(
                    "funding_difference",
                    "fraction of notional over the last days days: the short leg's sum less the long leg's"),
            Map.entry("funding_difference_7d", "fraction of notional over the last 7 days, of the same legs"),
            Map.entry("funding_difference_24h", "fraction of notional over the last 24 hours, of the same legs"),
            Map.entry("day_start_ms", EPOCH_MS + ", not included; the day is the 24 hours after it"),
            Map.entry("day_difference", "fraction of notional over that day: the short leg's sum less the long leg's"),
            Map.entry(
                    "settled_history_contracts", "contracts in scope whose settled rates of the last 31 days are read"),
            Map.entry(
                    "settled_history_contracts_read",
                    "contracts in scope of which all that the exchange shows has been read"),
            Map.entry("funding_sum_30d", "fraction of notional over 30 days; longs paid shorts when positive"),
            Map.entry("funding_sum", "fraction of notional over the last days days; longs paid shorts when positive"),
            Map.entry("days", "whole days of 24 hours that both legs are covered for"),
            Map.entry("positive_days", "days on which the difference was positive"),
            Map.entry(
                    "current_difference_8h",
                    "fraction of notional per 8 hours: the short leg's current rate less the long leg's"),
            Map.entry("price_ratio", "mark price per coin of the short leg divided by that of the long leg"),
            Map.entry("listing_epoch", "listings of the ticker before this one"),
            Map.entry("settlements", "known settlements"),
            Map.entry("expected", "settlements that there must have been"),
            Map.entry("estimated", "known settlements that rest on our own last reading"),
            Map.entry("first_settlement_ms", EPOCH_MS),
            Map.entry("last_settlement_ms", EPOCH_MS),
            Map.entry("funding_interval_h", "hours between two settlements"),
            Map.entry("price_a", "units of quote per coin of asset"),
            Map.entry("price_b", "units of quote per coin of asset")));

    /** Numbers of {@code /api/v1/carry} in another form. */
    static final Map<String, String> CARRY_FORMED =
            and(CARRY, Map.of("rows_matched", "complete pairs in this response's scope, before limit"));

    public static final Map<String, String> WAIT = and(Map.of("retry_after_s", "seconds"));

    public static final Map<String, String> MANIFEST = and(Map.of("bytes", "bytes of the identity representation"));

    private Units() {}

    /** The units of a response that leaves out fields of its rows: of all {@code fields}, it has those {@code shown}. */
    static Map<String, String> only(Map<String, String> all, Set<String> fields, Set<String> shown) {
        var units = new TreeMap<>(all);
        units.keySet().removeIf(name -> fields.contains(name) && !shown.contains(name));
        return units;
    }

    private static Map<String, String> and(Map<String, String> own) {
        return and(ENVELOPE, own);
    }

    private static Map<String, String> and(Map<String, String> common, Map<String, String> own) {
        var all = new TreeMap<>(common);
        all.putAll(own);
        return all;
    }
}
