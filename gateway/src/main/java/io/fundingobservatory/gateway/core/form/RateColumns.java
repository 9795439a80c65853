package io.fundingobservatory.gateway.core.form;

import io.fundingobservatory.topics.records.Rate;
import java.util.List;
import java.util.Set;

/** The fields of a row of {@code /api/v1/latest}, written as its record writes them, and its times as texts for requests that name them. */
public final class RateColumns {
    public static final Columns<Rate> ALL = new Columns<>(
            List.of(
                    Column.of("venue", Rate::venue),
                    Column.of("symbol", Rate::symbol),
                    Column.of("asset", Rate::asset),
                    Column.of("quote", Rate::quote),
                    Column.of("contract_type", Rate::contractType),
                    Column.of("asset_class", Rate::assetClass),
                    Column.of("dex", Rate::dex),
                    Column.number(
                            "funding_rate_8h",
                            "fraction of notional per 8 hours; longs pay shorts when positive",
                            Rate::fundingRate8h),
                    Column.number("funding_interval_h", "hours between two settlements", Rate::fundingIntervalH),
                    Column.of("funding_interval_source", Rate::fundingIntervalSource),
                    Column.number(
                            "funding_rate",
                            "fraction of notional per funding_interval_h; longs pay shorts when positive",
                            Rate::fundingRate),
                    Column.of("rate_kind", Rate::rateKind),
                    Column.number(
                            "funding_rate_annualised",
                            "fraction of notional per 365 days, simple, hypothetical",
                            Rate::fundingRateAnnualised),
                    Column.time("next_funding_ms", Rate::nextFundingMs),
                    Column.number("mark_price", "units of quote per price_scale coins of asset", Rate::markPrice),
                    Column.number("index_price", "units of quote per price_scale coins of asset", Rate::indexPrice),
                    Column.number("price_scale", "coins of asset that one priced unit stands for", Rate::priceScale),
                    Column.time("venue_time_ms", Rate::venueTimeMs),
                    Column.time("observed_at_ms", Rate::observedAtMs),
                    Column.flag("stale", Rate::stale)),
            List.of(
                    Column.of("next_funding_utc", row -> Json.utc(row.nextFundingMs())),
                    Column.of("venue_time_utc", row -> Json.utc(row.venueTimeMs())),
                    Column.of("observed_at_utc", row -> Json.utc(row.observedAtMs()))),
            Set.of("venue", "symbol"));

    private RateColumns() {}
}
