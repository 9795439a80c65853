package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.INSTRUMENT_LIST;

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
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Backpack.
 *
 * <p>{@code fundingRate} is the running estimate for the interval of {@code markets}, in milliseconds. The
 * interval was eight hours in 2025 and one hour in 2026, so it is always read. Prices are per the symbol's
 * own unit ({@code kPEPE} is 1000 coins), hence the base coin is taken from the symbol. When its origin
 * fails, its cache serves old rows for up to an hour. Such a row has a settlement that has passed, and is
 * skipped. Closed, cancel-only and hidden markets keep their rows.
 *
 * <pre>{@code
 * markPrices: {"fundingRate": "-0.0000117704808946259223127855", "indexPrice": "64020.4597227",
 *   "markPrice": "64010.6", "nextFundingTimestamp": 1790002800000, "symbol": "BTC_USDC_PERP"}
 * }</pre>
 */
final class Backpack implements Venue {
    /** Its cache may keep a response for 1 to 4 seconds, and its clock and ours may be apart. */
    private static final Duration CACHED = Duration.ofMinutes(1);

    /** Null on coins, which states nothing. */
    private static final Map<String, AssetClass> CLASSES =
            Map.of("STOCK", AssetClass.EQUITY, "INDEX", AssetClass.INDEX);

    private static final String V1 = "https://api.backpack.exchange/api/v1/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("backpack")
                .docs("https://docs.backpack.exchange/", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("api.backpack.exchange", 2000, 60)
                .pool(
                        "historical",
                        30,
                        60) // the documents do not say whether fundingRates counts as historical: it is kept to it
                .request(get("markPrices", V1 + "markPrices"))
                .request(get("markets", V1 + "markets?marketType=PERP").hourly())
                // newest first, up to 10,000: one response holds 30 days of hours
                .history(History.get(
                                "fundingRates_{}",
                                V1 + "fundingRates?symbol={key}&limit={rows}&offset=0",
                                Paging.NONE,
                                1000)
                        .pool("historical"))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        responses.all("markPrices").forEach(response -> read(response, responses.rowsBy("symbol", "markets"), rows));
    }

    private static void read(Response response, Map<String, JsonValue> markets, Rows rows) {
        rows.each(response.body().elements(), "symbol", row -> {
            String symbol = row.text("symbol");
            JsonValue market = Skip.ifUnlisted(markets, symbol);
            if (!market.is("marketType", "PERP")) {
                throw Skip.because(Skip.NOT_PERPETUAL);
            }
            if (!market.is("orderBookState", "Open", "PostOnly", "LimitOnly") || market.is("visible", "false")) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            Long next = row.millis("nextFundingTimestamp");
            Skip.ifSettlementPassed(next, response.readAtMs(), CACHED);
            Symbols.BaseQuote pair = Symbols.splitAtLast(Symbols.before("_PERP", symbol), '_');
            return QuoteBuilder.linear(pair.base(), pair.quote())
                    .assetClass(market.textOrNull("rwaMarketType"), CLASSES)
                    .rate(row.fundingRate("fundingRate"))
                    .between(bound(market, "fundingRateLowerBound"), bound(market, "fundingRateUpperBound"))
                    .intervalMillis(market.positiveOrNull("fundingInterval"), INSTRUMENT_LIST)
                    .next(next)
                    .mark(row.price("markPrice"))
                    .index(row.price("indexPrice"));
        });
    }

    /** In basis points of the interval: 100 is 1 %. */
    private static @Nullable BigDecimal bound(JsonValue market, @CompileTimeConstant String field) {
        BigDecimal basisPoints = market.decimalOrNull(field);
        return basisPoints == null ? null : basisPoints.movePointLeft(4);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.ifCoded(body, "code", "message", "TOO_MANY_REQUESTS");
    }

    /** The first row is the interval that is still open: its end is to come. */
    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.elements(),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.isoUtc("intervalEndTimestamp"), row.decimal("fundingRate")));
    }
}
