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
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * WOO X, USDT perpetuals.
 *
 * <p>{@code estFundingRate} is the estimate of the settlement at {@code nextFundingTime}, whose own interval is
 * {@code estFundingIntervalHours}. A contract whose next settlement lies in the past is frozen, whatever its status says.
 *
 * <pre>{@code
 * fundingRate_v3: {"symbol": "PERP_BTC_USDT", "estFundingRate": "0.00008712",
 *   "estFundingRateTimestamp": 1789999979022, "lastFundingRateTimestamp": 1789977600000,
 *   "nextFundingTime": 1790006400000, "estFundingIntervalHours": 8}
 * }</pre>
 */
final class Woox implements Venue {
    private static final String V3 = "https://api.woox.io/v3/public/";
    private static final long SETTLEMENT_LAG_MS = 300_000;

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("woox")
                .docs("https://developer.woox.io/api-reference/endpoint/public_data", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                // 10 a second for each address; the host is counted as one of them
                .limit("api.woox.io", 10, 1)
                .request(get("fundingRate_v3", V3 + "fundingRate").rates())
                .request(get("futures_v3", V3 + "futures"))
                .request(get("instruments_v3", V3 + "instruments").hourly())
                // 25 rows a page by default; whether it takes more is unconfirmed
                .history(History.get(
                        "fundingRateHistory_v3",
                        V3 + "fundingRateHistory?symbol={key}&startTime={from_ms}&endTime={to_ms}&page={page}&size=25",
                        Paging.PAGE,
                        25))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> prices = responses.rowsBy("symbol", "futures_v3", "data", "rows");
        Map<String, JsonValue> listed = responses.rowsBy("symbol", "instruments_v3", "data", "rows");
        for (JsonValue body : responses.bodies("fundingRate_v3")) {
            rows.each(body.at("data").list("rows"), "symbol", row -> {
                String symbol = row.text("symbol");
                Long next = row.millis("nextFundingTime");
                // the list has the halted contracts; one that it leaves out is judged by its settlement alone
                JsonValue instrument = listed.get(symbol);
                if (!symbol.startsWith("PERP_")) {
                    throw Skip.because(Skip.NOT_PERPETUAL);
                }
                boolean halted = instrument != null && !instrument.is("status", "TRADING");
                if (halted || isLongAgo(next, body.millis("timestamp"))) {
                    throw Skip.because(Skip.NOT_TRADING);
                }
                Symbols.BaseQuote pair = Symbols.splitAtLast(symbol.substring("PERP_".length()), '_');
                JsonValue price = prices.get(symbol);
                return QuoteBuilder.linear(scaled(pair.base(), instrument), pair.quote())
                        .rate(row.fundingRate("estFundingRate"))
                        .between(
                                instrument == null ? null : instrument.decimalOrNull("fundingFloor"),
                                instrument == null ? null : instrument.decimalOrNull("fundingCap"))
                        .intervalHours(row.positiveOrNull("estFundingIntervalHours"), ROW)
                        .next(next)
                        .mark(price == null ? null : price.price("markPrice"))
                        .index(price == null ? null : price.price("indexPrice"))
                        .venueTime(row.millis("estFundingRateTimestamp"));
            });
        }
    }

    private static boolean isLongAgo(@Nullable Long next, @Nullable Long now) {
        return next != null && now != null && next < now - SETTLEMENT_LAG_MS;
    }

    private static String scaled(String base, @Nullable JsonValue instrument) {
        BigDecimal multiplier = instrument == null ? null : instrument.positiveOrNull("baseAssetMultiplier");
        String prefix = multiplier == null || multiplier.compareTo(BigDecimal.ONE) == 0
                ? ""
                : multiplier.stripTrailingZeros().toPlainString();
        return base.startsWith(prefix) ? base : prefix + base;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (!body.is("success", "false") && !body.has("code")) {
            return null;
        }
        String code = body.textOrNull("code");
        String message = body.textOrNull("message");
        return new VenueError(
                (code == null ? "" : code + " ") + (message == null ? "" : message), body.is("code", "-1003"));
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("data").list("rows"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("fundingRateTimestamp"), row.decimal("fundingRate")));
    }
}
