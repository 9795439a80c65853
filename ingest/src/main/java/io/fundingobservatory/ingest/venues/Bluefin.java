package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

import com.google.errorprone.annotations.CompileTimeConstant;
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
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bluefin Pro, on Sui. Settles every hour.
 *
 * <p>Values whose names end in {@code E9} are integers, scaled by a thousand million. {@code avgFundingRate8hrE9} is a mean of
 * hourly rates, not a rate over 8 hours.
 *
 * <pre>{@code
 * tickers: {"symbol": "BTC-PERP", "estimatedFundingRateE9": "14466", "markPriceE9": "64009125000000",
 *   "oraclePriceE9": "64020100000000", "nextFundingTimeAtMillis": 1790002800000,
 *   "updatedAtMillis": 1789999998675}
 * }</pre>
 */
final class Bluefin implements Venue {
    private static final String API = "https://api.sui-prod.bluefin.io/v1/exchange/";
    private static final int E9 = 9;

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("bluefin")
                .docs("https://bluefin-exchange.readme.io", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                .limit("api.sui-prod.bluefin.io", 300, 60)
                .request(get("tickers", API + "tickers"))
                .request(get("exchange-info", API + "info").hourly())
                .history(History.get(
                        "fundingRateHistory_{}",
                        API + "fundingRateHistory?symbol={key}&startTimeAtMillis={from_ms}&endTimeAtMillis={to_ms}"
                                + "&limit=1000&page={page}",
                        Paging.PAGE,
                        1000))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> markets = responses.rowsBy("symbol", "exchange-info", "markets");

        rows.each(responses.rows("tickers"), "symbol", row -> {
            JsonValue market = Skip.ifUnlisted(markets, row.text("symbol"));
            Skip.unless(market.is("status", "ACTIVE"), Skip.NOT_TRADING);
            return QuoteBuilder.linear(Symbols.before("-PERP", row.text("symbol")), "USDC")
                    .rate(row.fundingRate("estimatedFundingRateE9").movePointLeft(E9))
                    .intervalHours(1, DOCUMENTED)
                    .next(row.millis("nextFundingTimeAtMillis"))
                    .mark(price(row, "markPriceE9"))
                    .index(price(row, "oraclePriceE9"))
                    .venueTime(row.millis("updatedAtMillis"));
        });
    }

    private static @Nullable BigDecimal price(JsonValue row, @CompileTimeConstant String field) {
        BigDecimal scaled = row.price(field);
        return scaled == null ? null : scaled.movePointLeft(E9);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        String code = body.textOrNull("errorCode");
        return code == null ? null : new VenueError(code + " " + body.textOrNull("message"), false);
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.elements(),
                row -> row.text("symbol"),
                row -> Settled.fraction(
                        row.millis("fundingTimeAtMillis"),
                        row.fundingRate("fundingRateE9").movePointLeft(E9)));
    }
}
