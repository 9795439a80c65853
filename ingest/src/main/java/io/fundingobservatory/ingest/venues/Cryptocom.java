package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.Instants;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Crypto.com Exchange. There is no bulk endpoint: each value of each contract needs its own request.
 *
 * <p>Everything settles every whole hour. {@code funding_rate} is fixed for a block of four settlements (…17,
 * 18, 19, 20 UTC); {@code estimated_funding_rate} belongs to the block after it and is not used. Where only
 * settled history is available, its newest row is the fixed rate while its block lasts, and the last settled
 * one after that. The index would need one more request for each contract and exhaust the allowance, so it is
 * unknown.
 *
 * <pre>{@code
 * get-valuations_funding_rate_BTCUSD-PERP: {"v": "0.000001323", "t": 1789999979000}
 * }</pre>
 */
final class Cryptocom implements Venue {
    private static final String API = "https://api.crypto.com/exchange/v1/public/";
    private static final String VALUATIONS = API + "get-valuations?instrument_name={}&count=1&valuation_type=";
    private static final String HISTORY = API
            + "get-valuations?instrument_name={key}&count=25&valuation_type=funding_hist&start_ts={from_ms}&end_ts={to_ms}";
    private static final String RATE = "get-valuations_funding_rate_{}";
    private static final String MARK = "get-valuations_mark_price_{}";
    private static final String SETTLED = "get-valuations_funding_hist_{}";
    /** Requested every second minute: one request may fail. */
    private static final long MARK_GOES_WITH_RATE_MS = 5 * 60_000;

    /** PRE_IPO is none of these. */
    private static final Map<String, AssetClass> CLASSES = Map.of(
            "DIGITAL_CURRENCIES",
            AssetClass.CRYPTO,
            "EQUITY",
            AssetClass.EQUITY,
            "EQUITY_IND",
            AssetClass.INDEX,
            "COMMODITIES",
            AssetClass.COMMODITY);

    private static final long HOUR_MS = 3_600_000;
    private static final long BLOCK_MS = 4 * HOUR_MS;

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("cryptocom")
                .docs("https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html", "2026-09-23")
                .rate(RateKind.FIXED)
                .limit("api.crypto.com", 100, 1)
                .request(get("get-instruments", API + "get-instruments").hourly())
                // A request takes 125 to 146 ms: 396 contracts take 54 s, one after the other. A rate holds for
                // four hours; with marks every second minute and rates every fifth, 277 requests a minute take
                // 38 s.
                .request(get(RATE, VALUATIONS + "funding_rate")
                        .rates()
                        .everyMinutes(5)
                        .each(Cryptocom::contracts))
                .request(get(MARK, VALUATIONS + "mark_price").everyMinutes(2).each(Cryptocom::contracts))
                .request(get(SETTLED, VALUATIONS + "funding_hist")
                        .rates()
                        .hourly()
                        .each(Cryptocom::contracts))
                // 25 rows are the default, a maximum is not published
                .history(History.get(SETTLED, HISTORY, Paging.OLDER, 25))
                .build();
    }

    private static List<String> contracts(VenueResponses responses) {
        List<JsonValue> tradable =
                perpetuals(responses).filter(row -> row.flag("tradable")).toList();
        // a row without a symbol must not prevent the requests of the others
        return List.copyOf(JsonValue.by(tradable, "symbol").keySet());
    }

    private static Stream<JsonValue> perpetuals(VenueResponses responses) {
        return responses.rows("get-instruments", "result", "data").stream()
                .filter(row -> row.is("inst_type", "PERPETUAL_SWAP"));
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, Response> rates = byKey(responses, RATE);
        Map<String, Response> settled = byKey(responses, SETTLED);
        Map<String, Response> marks = byKey(responses, MARK);
        Map<String, JsonValue> contracts = JsonValue.by(perpetuals(responses).toList(), "symbol");
        boolean listKnown = !contracts.isEmpty();
        settled.forEach((symbol, response) ->
                contracts.putIfAbsent(symbol, response.body().at("unlisted")));
        rates.forEach((symbol, response) ->
                contracts.putIfAbsent(symbol, response.body().at("unlisted")));

        rows.each(contracts, (symbol, instrument) -> {
            QuoteBuilder builder = listKnown ? listed(instrument) : named(symbol);
            Response response = rates.containsKey(symbol) ? rates.get(symbol) : settled.get(symbol);
            if (response == null) {
                throw Skip.because(Skip.NO_FUNDING_RATE);
            }
            JsonValue newest = newest(response);
            JsonValue mark = marks.containsKey(symbol) ? newest(marks.get(symbol)) : newest.at("none");
            BigDecimal rate = newest.fundingRate("v");
            Long at = newest.millis("t");
            if (at == null) {
                throw Skip.unreadable("t");
            }
            Long markedAt = mark.millis("t");
            long next = Instants.nextHour(markedAt == null ? at : Math.max(at, markedAt));
            RateKind kind = kind(at, next);
            // a settled rate has the time of its settlement; its mark shows that the contract is live
            long venueTime = rates.containsKey(symbol) || markedAt == null ? at : Math.max(at, markedAt);
            // a rate that is fixed, or that was the last one to be charged, still is when the mark is read
            long readAt = marks.containsKey(symbol)
                    ? Math.max(response.readAtMs(), marks.get(symbol).readAtMs())
                    : response.readAtMs();
            return builder.rate(rate)
                    .kind(kind)
                    .intervalHours(1, DOCUMENTED)
                    .next(next)
                    .mark(isOlder(marks.get(symbol), response) ? null : mark.price("v"))
                    .venueTime(venueTime)
                    .observedAt(readAt);
        });
    }

    /** Whether a mark is too old to be shown with the rate: its own requests may have failed since. */
    private static boolean isOlder(@Nullable Response mark, Response rate) {
        return mark != null && rate.readAtMs() - mark.readAtMs() > MARK_GOES_WITH_RATE_MS;
    }

    private static QuoteBuilder listed(JsonValue instrument) {
        Skip.unless(instrument.exists(), Skip.NOT_IN_INSTRUMENT_LIST);
        Skip.unless(instrument.flag("tradable"), Skip.NOT_TRADING);
        return QuoteBuilder.linear(instrument.text("base_ccy"), instrument.text("quote_ccy"))
                .assetClass(instrument.textOrNull("product_type"), CLASSES);
    }

    private static QuoteBuilder named(String symbol) {
        Symbols.BaseQuote pair = Symbols.cutQuote(Symbols.before("-PERP", symbol), "USD");
        return QuoteBuilder.linear(pair.base(), pair.quote());
    }

    private static Map<String, Response> byKey(VenueResponses responses, String request) {
        return responses.all(request).stream()
                .collect(Collectors.toMap(Response::key, Function.identity(), (first, second) -> first));
    }

    private static JsonValue newest(Response response) {
        return JsonValue.by(response.body().at("result").list("data"), "t").values().stream()
                .max(Comparator.comparing(row -> row.decimal("t")))
                .orElse(response.body().at("none"));
    }

    /** What a value of one instant is at the settlement to come. Of an earlier block it is only the last settlement. */
    private static RateKind kind(long atMs, long nextMs) {
        if (nextMs <= Math.ceilDiv(atMs, BLOCK_MS) * BLOCK_MS) {
            return RateKind.FIXED;
        }
        Skip.unless(nextMs - HOUR_MS <= Math.ceilDiv(atMs, HOUR_MS) * HOUR_MS, Skip.NO_FUNDING_RATE);
        return RateKind.LAST_SETTLED;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "message", "42901");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("result").list("data"),
                row -> Settled.fraction(row.millis("t"), row.decimal("v")).interval(BigDecimal.ONE));
    }
}
