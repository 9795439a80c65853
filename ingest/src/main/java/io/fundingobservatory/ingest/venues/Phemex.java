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
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Phemex: the ticker has the prices, {@code real-funding-rates} the interval and the next settlement; both
 * have the same estimate.
 *
 * <p>Intervals are in seconds. The product list's text ("every 8 hours") is wrong where {@code
 * fundingInterval} is 14400. Only the list marks the 765 delisted contracts, some of which keep a ticker.
 * Coin-margined contracts have no prices here: their ticker is a separate one of scaled integers.
 *
 * <p>{@code timestamp} is the row's last change, of any member, up to 58 s ago on a quiet contract. It does not tell when the
 * rate was made, so no row has a venue time.
 *
 * <pre>{@code
 * ticker_24hr_all_v3: {"symbol": "BTCUSDT", "fundingRateRr": "0.0001",
 *   "timestamp": 1789999998241434081}
 * }</pre>
 */
final class Phemex implements Venue {
    private static final String API = "https://api.phemex.com/";
    private static final int PAGE_SIZE = 200;
    private static final BigDecimal MOST_RATES = BigDecimal.valueOf(2_000);
    private static final String RATES =
            API + "contract-biz/public/real-funding-rates?symbol=ALL&pageSize=" + PAGE_SIZE + "&pageNum=";
    private static final String SETTLED =
            API + "api-data/public/data/funding-rate-history?symbol={key}&start={from_ms}&end={to_ms}&limit=100";

    /** The group of TradFi contracts; other contracts have none. */
    private static final Map<String, AssetClass> CLASSES =
            Map.of("Stocks", AssetClass.EQUITY, "Metals", AssetClass.COMMODITY);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("phemex")
                .docs("https://phemex-docs.github.io/#contract-rest-api", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("api.phemex.com", 300, 60)
                .bansFor(429, Duration.ofMinutes(5))
                .waitHeader("x-ratelimit-retry-after", ChronoUnit.SECONDS) // one for each group of addresses
                .request(get("ticker_24hr_all_v3", API + "md/v3/ticker/24hr/all"))
                // without a page size only 20 rows come; what is over the page is cut without a word
                .request(get("real-funding-rates", RATES + 1))
                .request(get("real-funding-rates_{}", RATES + "{}").each(Phemex::furtherPages))
                .request(get("products", API + "public/products").hourly())
                .history(History.get("funding-rate-history", SETTLED, Paging.NEWER, 100)
                        .keys(Phemex::historyKeys))
                .build();
    }

    /** The pages after the first: 134 contracts fit that one in 2026. */
    private static List<String> furtherPages(VenueResponses responses) {
        BigDecimal total = responses
                .body("real-funding-rates")
                .map(body -> body.at("data").positiveOrNull("total"))
                .orElse(BigDecimal.ZERO);
        int pages = total.min(MOST_RATES).add(BigDecimal.valueOf(PAGE_SIZE - 1)).intValue() / PAGE_SIZE;
        return IntStream.rangeClosed(2, pages).mapToObj(Integer::toString).toList();
    }

    private static Map<String, String> historyKeys(VenueResponses responses) {
        var keys = new LinkedHashMap<String, String>();
        products(responses).forEach((symbol, product) -> {
            String key = product.isContradicted() ? null : product.textOrNull("fundingRate8hSymbol");
            if (key != null && product.is("status", "Listed")) {
                keys.put(key, symbol);
            }
        });
        return keys;
    }

    private static Map<String, JsonValue> products(VenueResponses responses) {
        var products = new HashMap<>(responses.rowsBy("symbol", "products", "data", "perpProductsV2"));
        responses.rowsBy("symbol", "products", "data", "products").forEach(products::putIfAbsent);
        return products;
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> products = products(responses);
        boolean listKnown = !products.isEmpty();
        List<JsonValue> tickers = responses.rowsOrRow("ticker_24hr_all_v3", "result");
        List<JsonValue> rates = new ArrayList<>(responses.rows("real-funding-rates", "data", "rows"));
        rates.addAll(responses.rows("real-funding-rates_{}", "data", "rows"));
        Map<String, JsonValue> fundings = JsonValue.by(rates, "symbol");
        var withoutTicker = new LinkedHashMap<>(fundings);
        withoutTicker.keySet().removeAll(JsonValue.by(tickers, "symbol").keySet());
        var all = new ArrayList<>(tickers);
        all.addAll(withoutTicker.values());

        rows.each(all, "symbol", row -> {
            String symbol = row.text("symbol");
            JsonValue product = products.getOrDefault(symbol, row.at("unlisted"));
            JsonValue ticker = withoutTicker.containsKey(symbol) ? row.at("none") : row;
            JsonValue funding = fundings.get(symbol);
            QuoteBuilder builder = listKnown ? listed(product) : named(symbol);
            if (funding == null) {
                builder.rate(ticker.fundingRate("fundingRateRr"))
                        .intervalSeconds(product.positiveOrNull("fundingInterval"), INSTRUMENT_LIST);
            } else {
                builder.rate(funding.fundingRate("fundingRate"))
                        .between(funding.decimalOrNull("fundingRateFloor"), funding.decimalOrNull("fundingRateCap"))
                        .intervalSeconds(funding.positiveOrNull("fundingInterval"), ROW)
                        .next(funding.millis("nextfundingTime"));
            }
            return builder.assetClass(product.textOrNull("perpProductSubGroup"), CLASSES)
                    .mark(ticker.price("markRp"))
                    .index(ticker.price("indexRp"));
        });
    }

    private static QuoteBuilder listed(JsonValue product) {
        Skip.unless(product.exists(), Skip.NOT_IN_INSTRUMENT_LIST);
        Skip.unless(product.is("type", "PerpetualV2", "Perpetual"), Skip.NOT_PERPETUAL);
        Skip.unless(product.is("status", "Listed"), Skip.NOT_TRADING);
        String quote = product.text("quoteCurrency");
        if (product.is("settleCurrency", quote)) {
            return QuoteBuilder.linear(product.text("baseCurrency").replace(" ", ""), quote); // "1000 PEPE"
        }
        return QuoteBuilder.inverse(product.text("settleCurrency"), quote);
    }

    /** Until the list is there: {@code BTCUSDT}, {@code u1000PEPEUSDT}. Only the list has how a contract in dollars is margined. */
    private static QuoteBuilder named(String symbol) {
        Skip.unless(symbol.endsWith("USDT") || symbol.endsWith("USDC"), Skip.NOT_IN_INSTRUMENT_LIST);
        Symbols.BaseQuote pair =
                Symbols.cutQuote(symbol.startsWith("u") ? symbol.substring(1) : symbol, "USDT", "USDC");
        return QuoteBuilder.linear(pair.base(), pair.quote());
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        VenueError error = VenueError.ifCoded(body.at("error"), "code", "message");
        return error == null ? VenueError.unless("0", body, "code", "msg") : error;
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("data").list("rows"),
                row -> Settled.fraction(row.millis("fundingTime"), row.decimal("fundingRate"))
                        .intervalSeconds(row.positiveOrNull("intervalSeconds")));
    }
}
