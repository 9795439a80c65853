package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.RateKind;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Aevo. Settles every hour.
 *
 * <p>The rates are in a list made for CoinGecko. It still has delisted markets, with rate 0 and without a
 * next settlement; {@code markets} has what trades.
 *
 * <pre>{@code
 * coingecko-statistics: {"ticker_id": "BTC-PERP", "index_price": "64021.0",
 *   "next_funding_rate_timestamp": "1790002800", "funding_rate": "0.000009"}
 * }</pre>
 */
final class Aevo implements Venue {
    private static final String API = "https://api.aevo.xyz/";

    /** Funds, compute and shares before their listing are none of these. */
    private static final Map<String, AssetClass> CLASSES = Map.of(
            "crypto",
            AssetClass.CRYPTO,
            "equity",
            AssetClass.EQUITY,
            "fx",
            AssetClass.FX,
            "commodity",
            AssetClass.COMMODITY);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("aevo")
                .docs("https://api-docs.aevo.xyz", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                // No limit is published; one request a second is assumed.
                .limit("api.aevo.xyz", 60, 60)
                .waitHeader("x-retry-after", ChronoUnit.SECONDS)
                .request(get("coingecko-statistics", API + "coingecko-statistics")
                        .rates())
                .request(get("markets", API + "markets?instrument_type=PERPETUAL"))
                .history(History.get(
                        "funding-history_{}",
                        API + "funding-history?instrument_name={key}&start_time={from_ns}&end_time={to_ns}&limit=50",
                        Paging.OLDER,
                        50))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> statistics = responses.rowsBy("ticker_id", "coingecko-statistics");

        rows.each(responses.rows("markets"), "instrument_name", market -> {
            Skip.unless(market.is("instrument_type", "PERPETUAL"), Skip.NOT_PERPETUAL);
            Skip.unless(market.flag("is_active"), Skip.NOT_TRADING);
            JsonValue rate = statistics.get(market.text("instrument_name"));
            if (rate == null) {
                throw Skip.because(Skip.NO_FUNDING_RATE);
            }
            return QuoteBuilder.linear(market.text("underlying_asset"), market.text("quote_asset"))
                    .assetClass(market.textOrNull("market_type"), CLASSES)
                    .rate(rate.fundingRate("funding_rate"))
                    .intervalHours(1, DOCUMENTED)
                    .next(rate.seconds("next_funding_rate_timestamp"))
                    .mark(market.price("mark_price"))
                    .index(market.price("index_price"));
        });
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        String error = body.textOrNull("error");
        return error == null
                ? null
                : new VenueError(error, error.toUpperCase(Locale.ROOT).contains("RATE_LIMIT"));
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        var rows = body.list("funding_history").stream()
                .map(row -> row.named("instrument", "time_ns", "rate", "mark"))
                .toList();
        settlements.each(
                rows,
                row -> row.text("instrument"),
                row -> Settled.fraction(row.nanos("time_ns"), row.fundingRate("rate")));
    }
}
