package io.fundingobservatory.gateway.core;

import java.util.Map;
import java.util.TreeMap;

/** The unit of every number, by the name of its field; each kind of answer states those it can hold. */
final class Units {
    private static final String EPOCH_MS = "milliseconds since 1970-01-01T00:00:00Z";

    /** Numbers of the envelope itself. */
    static final Map<String, String> ENVELOPE = Map.of(
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

    static final Map<String, String> VENUES = and(Map.of(
            "symbols", "rows in the current observation",
            "last_observed_ms", EPOCH_MS,
            "funding_interval_h", "hours between two settlements",
            "age_p50_s", "seconds between reading and generation, median over the exchange's rows",
            "age_p95_s", "seconds between reading and generation, 95th percentile over the exchange's rows",
            "estimate_error_p50", "fraction of notional per settlement, median of |estimate - settled| over 30 days",
            "estimate_error_p95", "fraction of notional per settlement, 95th percentile of |estimate - settled| over 30 days"));

    static final Map<String, String> INDEX = and(Map.of(
            "observation_refresh_s", "seconds between two observations of an exchange, about",
            "stale_after_s", "seconds between reading and generation after which a row is marked stale",
            "removed_after_s", "seconds between reading and generation after which a row is removed and counted in missing",
            "pair_window_days", "days over which the funding difference of a pair is summed",
            "exchanges_listed", "exchanges"));

    static final Map<String, String> WAIT = and(Map.of("retry_after_s", "seconds"));

    static final Map<String, String> MANIFEST = and(Map.of("bytes", "bytes of the identity representation"));

    private Units() {}

    private static Map<String, String> and(Map<String, String> own) {
        var all = new TreeMap<>(ENVELOPE);
        all.putAll(own);
        return all;
    }
}
