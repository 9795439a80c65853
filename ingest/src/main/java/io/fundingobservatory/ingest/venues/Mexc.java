package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

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
import io.fundingobservatory.ingest.spec.Symbols.BaseQuote;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * MEXC Futures.
 *
 * <p>{@code funding_rate} carries rate, cycle in hours (24 occurs) and, since 2026-04-18, prices; before that they come from the
 * tickers. {@code detail} lists what trades; asset names are cut from the symbol, so that they do not depend on it.
 *
 * <pre>{@code
 * contract_funding_rate: {"symbol": "BTC_USDT", "fundingRate": 6.2e-05, "collectCycle": 8,
 *   "nextSettleTime": 1790006400000, "timestamp": 1789999997772, "idxPrice": 64020.8,
 *   "fairPrice": 64010.5}
 * }</pre>
 */
final class Mexc implements Venue {
    private static final String V1 = "https://api.mexc.com/api/v1/contract/";

    /** Names of zones, of which only this one is a class. */
    private static final Map<String, AssetClass> CLASSES = Map.of("mc-trade-zone-Commodities", AssetClass.COMMODITY);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("mexc")
                .docs("https://www.mexc.com/api-docs/futures/market-endpoints", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("api.mexc.com", 20, 2)
                .request(get("contract_funding_rate", V1 + "funding_rate").rates())
                .request(get("contract_ticker", V1 + "ticker"))
                .request(get("contract_detail", V1 + "detail").hourly().weight(2))
                .history(History.get(
                        "funding_rate_history_{}",
                        V1 + "funding_rate/history?symbol={key}&page_num={page}&page_size=100",
                        Paging.PAGE,
                        100))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> details = responses.rowsBy("symbol", "contract_detail", "data");
        Map<String, JsonValue> tickers = responses.rowsBy("symbol", "contract_ticker", "data");
        boolean detailKnown = !details.isEmpty();

        rows.each(responses.rows("contract_funding_rate", "data"), "symbol", row -> {
            if (detailKnown) {
                requireLivePerpetual(Skip.ifUnlisted(details, row.text("symbol")));
            }
            BaseQuote pair = Symbols.splitAtLast(row.text("symbol"), '_');
            JsonValue ticker = tickers.get(row.text("symbol"));
            // Coin-margined contracts are those quoted in plain USD.
            return QuoteBuilder.of(
                            pair.quote().equals("USD") ? ContractType.INVERSE : ContractType.LINEAR,
                            pair.base(),
                            pair.quote())
                    .assetClass(
                            details.getOrDefault(row.text("symbol"), row.at("none"))
                                    .list("conceptPlate"),
                            CLASSES)
                    .rate(row.fundingRate("fundingRate"))
                    .between(row.decimalOrNull("minFundingRate"), row.decimalOrNull("maxFundingRate"))
                    .intervalHours(row.positiveOrNull("collectCycle"), ROW)
                    .next(row.millis("nextSettleTime"))
                    .mark(price(row, "fairPrice", ticker, "fairPrice"))
                    .index(price(row, "idxPrice", ticker, "indexPrice"))
                    .venueTime(row.millis("timestamp"));
        });
    }

    private static void requireLivePerpetual(JsonValue detail) {
        if (detail.has("futureType") && !detail.is("futureType", "1")) {
            throw Skip.because(Skip.NOT_PERPETUAL);
        }
        if (!detail.is("state", "0") || detail.flag("isHidden")) {
            throw Skip.because(Skip.NOT_TRADING);
        }
    }

    private static @Nullable BigDecimal price(
            JsonValue row,
            @CompileTimeConstant String field,
            @Nullable JsonValue ticker,
            @CompileTimeConstant String tickerField) {
        return row.has(field) || ticker == null ? row.price(field) : ticker.price(tickerField);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "message", "510");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("data").list("resultList"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("settleTime"), row.fundingRate("fundingRate"))
                        .interval(row.positiveOrNull("collectCycle")));
    }
}
