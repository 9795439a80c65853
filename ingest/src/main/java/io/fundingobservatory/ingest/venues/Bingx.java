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
import io.fundingobservatory.ingest.spec.Symbols.BaseQuote;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * BingX perpetual futures: {@code swap} (USDT and USDC) and {@code cswap} (coin-margined).
 *
 * <p>{@code lastFundingRate} is the running estimate, and {@code nextFundingTime} an instant although the documentation calls
 * it a remaining time. {@code updateTime} is the last settlement and no sign of freshness. Coin-margined rows have no
 * interval; the 8 hours that others assume are not confirmed, so none is shown. The list holds perpetuals that are online; the
 * list of contracts only takes away what has gone since.
 *
 * <pre>{@code
 * swap_premiumIndex: {"symbol": "BTC-USDT", "markPrice": "64010.4", "indexPrice": "64020.9",
 *   "lastFundingRate": "-0.00007700", "nextFundingTime": 1790006400000, "fundingIntervalHours": 8}
 * }</pre>
 */
final class Bingx implements Venue {
    private static final String API = "https://open-api.bingx.com/openApi/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("bingx")
                .docs("https://bingx-api.github.io/docs/#/en-us/swapV2/market-api.html", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("open-api.bingx.com", 500, 10)
                .bansFor(418, Duration.ofMinutes(5))
                // an official skill file of 2026-04 says one a second for each endpoint: a fifth of this is that
                .pool("swap fundingRate", 5, 1)
                .request(get("swap_premiumIndex", API + "swap/v2/quote/premiumIndex"))
                .request(get("cswap_premiumIndex", API + "cswap/v1/market/premiumIndex"))
                .request(get("swap_contracts", API + "swap/v2/quote/contracts").hourly())
                // Coin-margined history is not confirmed.
                .history(History.get(
                                "swap_fundingRate_{}",
                                API
                                        + "swap/v2/quote/fundingRate?symbol={key}&startTime={from_ms}&endTime={to_ms}&limit=1000",
                                Paging.OLDER,
                                1000)
                        .pool("swap fundingRate")
                        .symbolsIn("swap_premiumIndex", "symbol", "data"))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> contracts = responses.rowsBy("symbol", "swap_contracts", "data");
        for (JsonValue body : responses.bodies("swap_premiumIndex")) {
            List<JsonValue> list = list(body);
            rows.each(list, "symbol", row -> {
                JsonValue contract = contracts.get(row.text("symbol"));
                if (contract != null && contract.has("status") && !contract.is("status", "1")) {
                    throw Skip.because(Skip.NOT_TRADING);
                }
                return builder(row, ContractType.LINEAR).intervalHours(row.positiveOrNull("fundingIntervalHours"), ROW);
            });
        }
        for (JsonValue body : responses.bodies("cswap_premiumIndex")) {
            rows.each(
                    list(body),
                    "symbol",
                    row -> builder(row, ContractType.INVERSE)
                            .intervalHours(row.positiveOrNull("fundingIntervalHours"), ROW)
                            .venueTime(row.millis("time")));
        }
    }

    /** Several rows, or a single one as it is. */
    private static List<JsonValue> list(JsonValue body) {
        JsonValue data = body.at("data");
        return data.isObject() ? List.of(data) : data.elements();
    }

    private static QuoteBuilder builder(JsonValue row, ContractType type) {
        BaseQuote pair = Symbols.splitAtLast(row.text("symbol"), '-');
        return QuoteBuilder.of(type, pair.base(), pair.quote())
                .rate(row.fundingRate("lastFundingRate"))
                .between(row.decimalOrNull("minFundingRate"), row.decimalOrNull("maxFundingRate"))
                .next(row.millis("nextFundingTime"))
                .mark(row.price("markPrice"))
                .index(row.price("indexPrice"));
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "msg", "100410");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("data"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("fundingTime"), row.fundingRate("fundingRate")));
    }
}
