package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.INSTRUMENT_LIST;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Symbols;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Paradex. Funding accrues every few seconds, so there is no settlement to announce.
 *
 * <p>{@code funding_rate} covers the market's own {@code funding_period_hours}. Options are in the same response. What the
 * exchange publishes as funding data are samples of the running rate, not settlements, so no history is
 * declared.
 *
 * <pre>{@code
 * markets_summary: {"symbol": "BTC-USD-PERP", "mark_price": "64010.5", "created_at": 1789999997003,
 *   "underlying_price": "64020.11", "funding_rate": "0.00007688102642"}
 * }</pre>
 */
final class Paradex implements Venue {
    private static final String V1 = "https://api.prod.paradex.trade/v1/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("paradex")
                .docs("https://docs.paradex.trade/api/prod/markets/get-markets-summary", "2026-09-11")
                .rate(RateKind.CONTINUOUS)
                .limit("api.prod.paradex.trade", 1500, 60)
                // the list of markets is 4 MB where it comes without gzip, and grows with each option's expiry
                .largestResponse(12)
                .request(get("markets_summary", V1 + "markets/summary?market=ALL"))
                .request(get("markets", V1 + "markets").hourly())
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> markets = responses.rowsBy("symbol", "markets", "results");
        rows.each(responses.rows("markets_summary", "results"), "symbol", row -> {
            if (!row.text("symbol").endsWith("-PERP")) {
                throw Skip.because(Skip.NOT_PERPETUAL);
            }
            Long time = row.millis("created_at");
            if (markets.isEmpty()) { // only the list has its period
                return quote(named(row.text("symbol")), row).venueTime(time);
            }
            JsonValue market = Skip.ifUnlisted(markets, row.text("symbol"));
            Skip.unless(market.is("asset_kind", "PERP"), Skip.NOT_PERPETUAL);
            // no order book: traded on request between two sides only
            Skip.unless(!market.is("trading_mode", "RFQ_ONLY"), Skip.NOT_TRADING);
            Long opens = market.millis("open_at");
            // whether markets are listed before they open is unconfirmed: one that opens later is not shown
            if (opens != null && time != null && opens > time) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            return quote(QuoteBuilder.linear(market.text("base_currency"), market.text("quote_currency")), row)
                    .intervalHours(market.positiveOrNull("funding_period_hours"), INSTRUMENT_LIST)
                    .venueTime(time);
        });
    }

    private static QuoteBuilder named(String symbol) {
        Symbols.BaseQuote pair = Symbols.splitAtLast(Symbols.before("-PERP", symbol), '-');
        return QuoteBuilder.linear(pair.base(), pair.quote());
    }

    private static QuoteBuilder quote(QuoteBuilder builder, JsonValue row) {
        return builder.rate(row.fundingRate("funding_rate"))
                .mark(row.price("mark_price"))
                .index(row.price("underlying_price"));
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.ifCoded(body, "error", "message");
    }
}
