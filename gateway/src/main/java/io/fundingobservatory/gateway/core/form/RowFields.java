package io.fundingobservatory.gateway.core.form;

import java.util.List;
import java.util.Set;

/**
 * The fields that rows of one kind can have.
 *
 * @param names all of them, in the order of a row
 * @param numeric those whose values are numbers or null; rows can be ordered by them
 * @param keys those that every form of a row has, since they identify it
 */
public record RowFields(List<String> names, Set<String> numeric, List<String> keys) {
    /** The fields of a row of {@code /api/v1/latest}. */
    public static final RowFields LATEST = new RowFields(
            List.of(
                    "venue",
                    "symbol",
                    "asset",
                    "quote",
                    "contract_type",
                    "funding_rate_8h",
                    "funding_interval_h",
                    "funding_interval_source",
                    "funding_rate",
                    "rate_kind",
                    "funding_rate_annualised",
                    "next_funding_ms",
                    "mark_price",
                    "index_price",
                    "price_scale",
                    "venue_time_ms",
                    "observed_at_ms",
                    "stale"),
            Set.of(
                    "funding_rate_8h",
                    "funding_interval_h",
                    "funding_rate",
                    "funding_rate_annualised",
                    "next_funding_ms",
                    "mark_price",
                    "index_price",
                    "price_scale",
                    "venue_time_ms",
                    "observed_at_ms"),
            List.of("venue", "symbol"));
}
