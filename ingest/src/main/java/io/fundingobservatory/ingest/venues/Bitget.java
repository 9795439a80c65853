package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.INSTRUMENT_LIST;
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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bitget futures V2: three markets, each with its own lists.
 *
 * <p>V2 lists 9 coin-margined perpetuals. Eleven more (BTCUSD_CM …) are only in V3, of which no response is
 * recorded; they are left out. V3 also marks dividends of shares, which are booked as a funding fee. Whether
 * V2's settled rates contain them is unknown, because its rows have no field for it.
 *
 * <p>The rate and the interval are in {@code current-fund-rate}; the same value in the tickers lags behind
 * and is not used. That list also holds pre-listing and test contracts, which neither have a ticker nor are
 * normal perpetuals in the list of contracts.
 *
 * <pre>{@code
 * current-fund-rate_USDT-FUTURES: {"symbol": "BTCUSDT", "fundingRate": "0.000083",
 *   "fundingRateInterval": "8", "nextUpdate": "1790006400000"}
 * }</pre>
 */
final class Bitget implements Venue {
    private static final String V2 = "https://api.bitget.com/api/v2/mix/market/";

    /** A market, the ending of its symbols and what prices are quoted in there. */
    private record Product(String name, String ending, String quote, ContractType type) {
        BaseQuote cut(String symbol) {
            return new BaseQuote(Symbols.cutQuote(symbol, ending).base(), quote);
        }
    }

    private static final List<Product> PRODUCTS = List.of(
            new Product("USDT-FUTURES", "USDT", "USDT", ContractType.LINEAR),
            new Product("USDC-FUTURES", "PERP", "USDC", ContractType.LINEAR),
            new Product("COIN-FUTURES", "USD", "USD", ContractType.INVERSE));

    @Override
    public VenueSpec spec() {
        var header = VenueSpec.venue("bitget")
                .docs("https://www.bitget.com/api-doc/contract/market/Get-Current-Funding-Rate", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("api.bitget.com", 20, 1);
        for (Product product : PRODUCTS) {
            String of = product.name() + "&symbol={key}&pageSize=100&pageNo={page}";
            header.request(get(
                                    "current-fund-rate_" + product.name(),
                                    V2 + "current-fund-rate?productType=" + product.name())
                            .rates())
                    .request(get("tickers_" + product.name(), V2 + "tickers?productType=" + product.name()))
                    .request(get("contracts_" + product.name(), V2 + "contracts?productType=" + product.name())
                            .hourly())
                    .history(History.get(
                                    "history-fund-rate_{}",
                                    V2 + "history-fund-rate?productType=" + of,
                                    Paging.PAGE,
                                    100)
                            .symbolsIn("current-fund-rate_" + product.name(), "symbol", "data"));
        }
        return header.build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        for (Product product : PRODUCTS) {
            Map<String, JsonValue> tickers = responses.rowsBy("symbol", "tickers_" + product.name(), "data");
            Map<String, JsonValue> listed = responses.rowsBy("symbol", "contracts_" + product.name(), "data");
            boolean nothingToCheckBy = tickers.isEmpty() && listed.isEmpty();
            for (JsonValue body : responses.bodies("current-fund-rate_" + product.name())) {
                rows.each(body.list("data"), "symbol", row -> {
                    JsonValue ticker = tickers.get(row.text("symbol"));
                    JsonValue contract = listed.get(row.text("symbol"));
                    requireLivePerpetual(row, contract);
                    if (ticker == null && contract == null && !nothingToCheckBy) {
                        throw Skip.because(Skip.NOT_IN_INSTRUMENT_LIST);
                    }
                    BaseQuote pair = contract == null
                            ? product.cut(row.text("symbol"))
                            : new BaseQuote(contract.text("baseCoin"), contract.text("quoteCoin"));
                    QuoteBuilder builder = QuoteBuilder.of(product.type(), pair.base(), pair.quote())
                            .rate(row.fundingRate("fundingRate"))
                            .between(row.decimalOrNull("minFundingRate"), row.decimalOrNull("maxFundingRate"))
                            .next(row.millis("nextUpdate"))
                            .mark(ticker == null ? null : ticker.price("markPrice"))
                            .index(ticker == null ? null : ticker.price("indexPrice"))
                            .venueTime(body.millis("requestTime"));
                    return row.textOrNull("fundingRateInterval") == null && contract != null
                            ? builder.intervalHours(contract.positiveOrNull("fundInterval"), INSTRUMENT_LIST)
                            : builder.intervalHours(row.positiveOrNull("fundingRateInterval"), ROW);
                });
            }
        }
    }

    private static void requireLivePerpetual(JsonValue row, @Nullable JsonValue contract) {
        if (row.is("nextUpdate", "0") || (contract != null && !contract.is("symbolType", "perpetual"))) {
            throw Skip.because(Skip.NOT_PERPETUAL);
        }
        // limit_open and restrictedAPI restrict who may trade; the market itself goes on.
        if (contract != null && !contract.is("symbolStatus", "normal", "limit_open", "restrictedAPI")) {
            throw Skip.because(Skip.NOT_TRADING);
        }
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return isEmpty(body) ? null : VenueError.unless("00000", body, "code", "msg", "429");
    }

    /** A contract that has not settled yet. Whether it comes with HTTP 200 or 400 is not documented. */
    @Override
    public boolean isEmpty(JsonValue body) {
        return body.is("code", "40054");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("data"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("fundingTime"), row.fundingRate("fundingRate")));
    }
}
