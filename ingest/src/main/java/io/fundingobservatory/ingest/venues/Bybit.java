package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

import com.google.errorprone.annotations.CompileTimeConstant;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.ingest.spec.Symbols;
import io.fundingobservatory.ingest.spec.Symbols.BaseQuote;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bybit V5, categories {@code linear} (USDT and USDC) and {@code inverse}.
 *
 * <p>The tickers carry rate, interval (in hours, as text) and prices. Dated futures are among them with an
 * empty rate and next time {@code 0}. The instrument list is preferred for names and status. Pre-market
 * contracts are missing there by default, so an unknown symbol is split at its ending.
 *
 * <pre>{@code
 * tickers_linear: {"symbol": "BTCUSDT", "indexPrice": "64020.11", "markPrice": "64010.50",
 *   "fundingRate": "0.0001", "nextFundingTime": "1790006400000", "fundingIntervalHour": "8"}
 * }</pre>
 */
final class Bybit implements Venue {
    private static final String V5 = "https://api.bybit.com/v5/market/";

    /** Coins have no symbolType, or that of a zone. */
    private static final Map<String, AssetClass> CLASSES =
            Map.of("stock", AssetClass.EQUITY, "commodity", AssetClass.COMMODITY, "forex", AssetClass.FX);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("bybit")
                .docs("https://bybit-exchange.github.io/docs/v5/market/tickers", "2026-09-19")
                .rate(RateKind.ESTIMATE)
                .limit("api.bybit.com", 600, 5)
                .bansFor(403, Duration.ofMinutes(10)) // "access too frequent"
                .request(get("tickers_linear", V5 + "tickers?category=linear"))
                .request(get("tickers_inverse", V5 + "tickers?category=inverse"))
                .request(instruments("linear"))
                .request(instruments("inverse"))
                .history(history("linear"))
                .history(history("inverse"))
                .build();
    }

    private static Request instruments(String category) {
        return get("instruments-info_" + category, V5 + "instruments-info?category=" + category + "&limit=1000")
                .hourly()
                .pages(body -> Optional.ofNullable(body.at("result").textOrNull("nextPageCursor"))
                        .map(cursor -> "&cursor=" + cursor));
    }

    private static History history(String category) {
        String url = V5 + "funding/history?category=" + category
                + "&symbol={key}&startTime={from_ms}&endTime={to_ms}&limit=200";
        return History.get("funding_history_{}", url, Paging.OLDER, 200)
                .symbolsIn("tickers_" + category, "symbol", "result", "list");
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        for (String category : new String[] {"linear", "inverse"}) {
            Map<String, JsonValue> listed =
                    responses.rowsBy("symbol", "instruments-info_" + category, "result", "list");
            boolean inverse = category.equals("inverse");
            for (JsonValue body : responses.bodies("tickers_" + category)) {
                rows.each(body.at("result").list("list"), "symbol", row -> {
                    JsonValue instrument = listed.get(row.text("symbol"));
                    requireLivePerpetual(row, instrument);
                    BaseQuote pair = pair(row.text("symbol"), instrument, inverse);
                    return QuoteBuilder.of(
                                    inverse ? ContractType.INVERSE : ContractType.LINEAR, pair.base(), pair.quote())
                            .assetClass(instrument == null ? null : instrument.textOrNull("symbolType"), CLASSES)
                            .rate(row.fundingRate("fundingRate"))
                            .between(bound(instrument, "lowerFundingRate"), bound(instrument, "upperFundingRate"))
                            .next(row.millis("nextFundingTime"))
                            .mark(row.price("markPrice"))
                            .index(row.price("indexPrice"))
                            .intervalHours(row.positiveOrNull("fundingIntervalHour"), ROW)
                            .venueTime(body.millis("time"));
                });
            }
        }
    }

    private static @Nullable BigDecimal bound(@Nullable JsonValue instrument, @CompileTimeConstant String field) {
        return instrument == null ? null : instrument.decimalOrNull(field);
    }

    private static void requireLivePerpetual(JsonValue row, @Nullable JsonValue instrument) {
        if (instrument == null) {
            if (row.text("symbol").contains("-") || row.is("nextFundingTime", "0")) {
                throw Skip.because(Skip.NOT_PERPETUAL);
            }
            return;
        }
        if (!instrument.is("contractType", "LinearPerpetual", "InversePerpetual")) {
            throw Skip.because(Skip.NOT_PERPETUAL);
        }
        // The whole vocabulary is not confirmed; only Trading is shown.
        if (!instrument.is("status", "Trading")) {
            throw Skip.because(Skip.NOT_TRADING);
        }
    }

    private static BaseQuote pair(String symbol, @Nullable JsonValue instrument, boolean inverse) {
        if (instrument != null) {
            return new BaseQuote(instrument.text("baseCoin"), instrument.text("quoteCoin"));
        }
        if (inverse) {
            return Symbols.cutQuote(symbol, "USD");
        }
        BaseQuote pair = Symbols.cutQuote(symbol, "USDT", "PERP");
        return pair.quote().equals("PERP") ? new BaseQuote(pair.base(), "USDC") : pair;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "retCode", "retMsg", "10006", "10018");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("result").list("list"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("fundingRateTimestamp"), row.fundingRate("fundingRate")));
    }
}
