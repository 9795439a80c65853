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
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * XT.COM, USDT-margined ({@code fapi}) and coin-margined ({@code dapi}).
 *
 * <p>{@code collection_internal} is the interval, in hours here and in seconds in the history. The bulk
 * response leaves it out for single contracts. Those are requested one by one, and a row without it is not
 * shown. A contract is tradable when the list of symbols sets both {@code tradeSwitch} and {@code isOpenApi};
 * its {@code state} is always 0.
 *
 * <pre>{@code
 * funding-rate_moonshot_usdt: {"returnCode": 0, "msgInfo": "success", "error": null,
 *   "result": {"symbol": "moonshot_usdt", "fundingRate": 0.0001, "nextCollectionTime": 1790006400000,
 *   "collectionInternal": 8}}
 * }</pre>
 */
final class Xt implements Venue {
    private static final String MARKET = ".xt.com/future/market/";
    private static final List<String> BOOKS = List.of("", "dapi_");
    private static final String BOTH_HOSTS = "fapi and dapi";
    private static final BigDecimal MOST_HOURS = BigDecimal.valueOf(24);

    @Override
    public VenueSpec spec() {
        VenueSpec.Builder header = VenueSpec.venue("xt")
                .docs("https://doc.xt.com/docs/futures/MarketData/getFundingRate", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("fapi.xt.com", 10, 1)
                .limit("fapi.xt.com", 1000, 60)
                .limit("dapi.xt.com", 10, 1)
                .limit("dapi.xt.com", 1000, 60)
                // counted by IP address, over both hosts
                .pool(BOTH_HOSTS, 10, 1)
                .pool(BOTH_HOSTS, 1000, 60)
                .bansFor(429, Duration.ofMinutes(10));
        for (String book : BOOKS) {
            String api = "https://" + (book.isEmpty() ? "fapi" : "dapi") + MARKET;
            header.request(get(book + "cg_contracts", api + "v1/public/cg/contracts")
                    .rates()
                    .pool(BOTH_HOSTS));
            header.request(
                    get(book + "agg-tickers", api + "v1/public/q/agg-tickers").pool(BOTH_HOSTS));
            header.request(get(book + "symbol_list", api + "v3/public/symbol/list")
                    .pool(BOTH_HOSTS)
                    .hourly());
            // pages go by id, not by time; clients request 200 rows, and no maximum is documented
            String settled = api + "v1/public/q/funding-rate-record?symbol={key}&limit=200&direction=NEXT{next}";
            header.history(History.get(book + "funding-rate-record_{}", settled, Paging.NEXT, 200)
                    .pool(BOTH_HOSTS)
                    .symbols(responses -> symbols(responses, book).keySet()));
        }
        String single = "https://fapi" + MARKET + "v1/public/q/";
        header.pool("funding-rate", 1, 1);
        header.request(get("funding-rate_{}", single + "funding-rate?symbol={}")
                .rates()
                .pool(BOTH_HOSTS)
                .pool("funding-rate")
                .each(Xt::withoutInterval));
        header.request(get("agg-ticker_{}", single + "agg-ticker?symbol={}")
                .pool(BOTH_HOSTS)
                .each(Xt::withoutInterval));
        return header.build();
    }

    /** Version 3 of the list wraps its rows ({@code result.symbols}); version 1, which responds too, has them bare. */
    private static List<JsonValue> listed(JsonValue body) {
        JsonValue result = body.at("result");
        return result.isArray() ? result.elements() : result.list("symbols");
    }

    private static Map<String, JsonValue> symbols(VenueResponses responses, String book) {
        return responses.rowsBy("symbol", book + "symbol_list", Xt::listed);
    }

    private static List<String> withoutInterval(VenueResponses responses) {
        Map<String, JsonValue> listed = symbols(responses, "");
        return responses.rows("cg_contracts").stream()
                .filter(row -> !row.has("collection_internal"))
                .map(row -> row.textOrNull("symbol"))
                .filter(symbol -> symbol != null && listed.containsKey(symbol) && isPerpetual(listed.get(symbol)))
                .toList();
    }

    /**
     * Reads rows that are each as old as their own response. A contract that is requested singly must not age
     * all others.
     */
    @Override
    public void read(VenueResponses responses, Rows rows) {
        for (String book : BOOKS) {
            Map<String, JsonValue> listed = symbols(responses, book);
            Map<String, JsonValue> tickers = responses.rowsBy("s", book + "agg-tickers", "result");
            tickers.putAll(JsonValue.by(responses.rowsOrRow(book + "agg-ticker_{}", "result"), "s"));
            var requested = new HashSet<String>();
            for (Response single : responses.all(book + "funding-rate_{}")) {
                JsonValue result = single.body().at("result");
                List<JsonValue> found = result.isObject() ? List.of(result) : result.elements();
                rows.each(found, "symbol", row -> {
                    String symbol = row.text("symbol");
                    requested.add(symbol);
                    if (listed.containsKey(symbol)) { // only listed contracts are requested singly
                        requireLivePerpetual(listed.get(symbol));
                    }
                    return quote(row, tickers.getOrDefault(symbol, row.at("none")))
                            .rate(row.fundingRate("fundingRate"))
                            .intervalHours(hours(row, "collectionInternal"), ROW)
                            .next(row.millis("nextCollectionTime"))
                            .observedAt(single.readAtMs());
                });
            }
            for (Response bulk : responses.all(book + "cg_contracts")) {
                List<JsonValue> others = bulk.body().elements().stream()
                        .filter(row -> !requested.contains(row.textOrNull("symbol")))
                        .toList();
                rows.each(others, "symbol", row -> {
                    String symbol = row.text("symbol");
                    if (!listed.isEmpty()) {
                        requireLivePerpetual(Skip.ifUnlisted(listed, symbol));
                    }
                    return quote(row, tickers.getOrDefault(symbol, row.at("none")))
                            .rate(row.fundingRate("funding_rate"))
                            .intervalHours(hours(row, "collection_internal"), ROW)
                            .next(row.millis("next_funding_rate_timestamp"))
                            .observedAt(bulk.readAtMs());
                });
            }
        }
    }

    private static QuoteBuilder quote(JsonValue row, JsonValue ticker) {
        Skip.unless(!row.has("product_type") || row.is("product_type", "PERPETUAL"), Skip.NOT_PERPETUAL);
        BigDecimal index = ticker.price("i");
        return builder(row.text("symbol"))
                .mark(ticker.price("m"))
                .index(index == null ? row.price("index_price") : index);
    }

    /** Version 3 of the list has {@code contractType}: it serves where {@code productType} is absent. */
    private static boolean isPerpetual(JsonValue instrument) {
        return instrument.has("productType")
                ? instrument.is("productType", "perpetual", "PERPETUAL")
                : instrument.is("contractType", "PERPETUAL");
    }

    private static void requireLivePerpetual(JsonValue instrument) {
        Skip.unless(isPerpetual(instrument), Skip.NOT_PERPETUAL);
        Skip.unless(instrument.flag("tradeSwitch") && instrument.flag("isOpenApi"), Skip.NOT_TRADING);
    }

    /** {@code 1000pepe_usdt}; the coin-margined ones are {@code btc_usd}. */
    private static QuoteBuilder builder(String symbol) {
        Symbols.BaseQuote pair = Symbols.cutQuote(symbol.toUpperCase(Locale.ROOT), "_USDT", "_USDC", "_USD");
        return pair.quote().equals("_USD")
                ? QuoteBuilder.inverse(pair.base(), "USD")
                : QuoteBuilder.linear(pair.base(), pair.quote().substring(1));
    }

    private static BigDecimal hours(JsonValue row, @CompileTimeConstant String name) {
        BigDecimal hours = row.decimal(name);
        if (hours.compareTo(MOST_HOURS) > 0) { // the history has seconds under the same name
            throw Skip.unreadable(name);
        }
        return hours;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        VenueError error = VenueError.unless("0", body, "returnCode", "msgInfo");
        String code = body.at("error").textOrNull("code");
        return error == null || code == null ? error : new VenueError(error.reason() + " " + code, false);
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        JsonValue result = body.at("result");
        List<JsonValue> items = result.list("items");
        String last = items.isEmpty() ? null : items.getLast().textOrNull("id");
        settlements.next(result.flag("hasNext") && last != null ? "&id=" + last : null);
        settlements.each(
                items,
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("createdTime"), row.decimal("fundingRate"))
                        .intervalSeconds(row.positiveOrNull("collectionInternal")));
    }
}
