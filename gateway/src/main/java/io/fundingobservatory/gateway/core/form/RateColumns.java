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
                    Column.number("funding_rate_8h", Rate::fundingRate8h),
                    Column.number("funding_interval_h", Rate::fundingIntervalH),
                    Column.of("funding_interval_source", Rate::fundingIntervalSource),
                    Column.number("funding_rate", Rate::fundingRate),
                    Column.of("rate_kind", Rate::rateKind),
                    Column.number("funding_rate_annualised", Rate::fundingRateAnnualised),
                    Column.number("next_funding_ms", Rate::nextFundingMs),
                    Column.number("mark_price", Rate::markPrice),
                    Column.number("index_price", Rate::indexPrice),
                    Column.number("price_scale", Rate::priceScale),
                    Column.number("venue_time_ms", Rate::venueTimeMs),
                    Column.number("observed_at_ms", Rate::observedAtMs),
                    Column.flag("stale", Rate::stale)),
            List.of(
                    Column.of("next_funding_utc", row -> Json.utc(row.nextFundingMs())),
                    Column.of("venue_time_utc", row -> Json.utc(row.venueTimeMs())),
                    Column.of("observed_at_utc", row -> Json.utc(row.observedAtMs()))),
            Set.of("venue", "symbol"));

    private RateColumns() {}
}
