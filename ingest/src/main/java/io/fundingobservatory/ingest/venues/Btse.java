package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.ingest.spec.Symbols;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.RateKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * BTSE: rates from the market interface, prices from the older futures interface, which leaves the quote out of its symbols.
 *
 * <p>Intervals are in minutes. The base is read from the symbol (1KPEPE, TRUMP): the list's {@code baseCurrency} is TRUMPSOL.
 *
 * <pre>{@code
 * ticker_24hr: {"symbol": "BTC-PERP-USDT", "fundingRate": "0.0001", "nextFundingTime": 1790006400000,
 *   "fundingIntervalMinutes": 480}
 * }</pre>
 */
final class Btse implements Venue {
    private static final String MARKET = "https://api.btse.com/public-api/market/v1/";
    private static final String PERPETUALS = "?types=%5B%22FuturesPerpetual%22%5D";
    private static final Map<String, AssetClass> CLASSES =
            Map.of("CRYPTO", AssetClass.CRYPTO, "STOCK", AssetClass.EQUITY, "COMMODITIES", AssetClass.COMMODITY);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("btse")
                .docs("https://btsecom.github.io/docs/", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("api.btse.com", 15, 1)
                .request(get("ticker_24hr", MARKET + "ticker/24hr" + PERPETUALS).rates())
                .request(get("legacy_price", "https://api.btse.com/futures/api/v2.3/price"))
                .request(get("markets", MARKET + "markets" + PERPETUALS).hourly())
                .history(History.get(
                        "recentFundingHistory_{}",
                        MARKET + "recentFundingHistory?symbol={key}&period=1M",
                        Paging.NONE,
                        1000))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> markets = responses.rowsBy("symbol", "markets", "data", "symbols");
        boolean listKnown = !markets.isEmpty();
        Map<String, JsonValue> prices = responses.rowsBy("symbol", "legacy_price");
        rows.each(responses.rows("ticker_24hr", "data"), "symbol", row -> {
            Symbols.BaseQuote halves = Symbols.splitAtLast(row.text("symbol"), '-');
            String base = Symbols.before("-PERP", halves.base());
            if (listKnown) {
                requireLivePerpetual(Skip.ifUnlisted(markets, row.text("symbol")));
            }
            JsonValue price = prices.getOrDefault(row.text("symbol").replaceFirst("-USDT$", ""), row.at("none"));
            return QuoteBuilder.linear(base, halves.quote())
                    .assetClass(
                            markets.getOrDefault(row.text("symbol"), row.at("none"))
                                    .textOrNull("category"),
                            CLASSES)
                    .rate(row.fundingRate("fundingRate"))
                    .intervalMinutes(row.positiveOrNull("fundingIntervalMinutes"), ROW)
                    .next(row.millis("nextFundingTime"))
                    .mark(price.price("markPrice"))
                    .index(price.price("indexPrice"));
        });
    }

    private static void requireLivePerpetual(JsonValue market) {
        Skip.unless(market.is("type", "FuturesPerpetual"), Skip.NOT_PERPETUAL);
        Skip.unless(!market.is("active", "false"), Skip.NOT_TRADING);
    }

    /** The market interface has {@code success}, the older one {@code errorCode}. */
    @Override
    public @Nullable VenueError error(JsonValue body) {
        VenueError older = VenueError.unless("0", body, "errorCode", "message");
        return older != null || !body.is("success", "false") ? older : VenueError.unless("1", body, "code", "msg");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(body.list("data"), row -> Settled.fraction(row.millis("timestamp"), row.decimal("rate")));
    }
}
