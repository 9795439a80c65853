package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;

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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Poloniex, futures v3. Each contract needs its own request.
 *
 * <p>{@code fR} is the rate that was charged at {@code fT}; {@code nFR} the prediction for {@code nFT}, and
 * the one that is read. The gap of the two instants is the interval. Base coins are taken from the symbol
 * ({@code 1000PEPE_USDT_PERP}): {@code bAsset} is an index.
 *
 * <pre>{@code
 * fundingRate_1000PEPE_USDT_PERP: {"code": 200, "msg": "Success", "data": {"s": "1000PEPE_USDT_PERP",
 *   "fR": "0.0001", "fT": 1789992000000, "nFR": -0.00021, "nFT": 1790006400000}}
 * }</pre>
 */
final class Poloniex implements Venue {
    private static final String V3 = "https://api.poloniex.com/v3/market/";
    private static final String ENDING = "_PERP";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("poloniex")
                .docs("https://api-docs.poloniex.com/v3/futures/api/market/", "2026-09-22")
                .rate(RateKind.ESTIMATE)
                .limit("api.poloniex.com", 300, 1)
                .request(get("tickers", V3 + "tickers"))
                .request(get("allInstruments", V3 + "allInstruments").hourly())
                .request(get("fundingRate_{}", V3 + "fundingRate?symbol={}")
                        .rates()
                        .each(Poloniex::symbols))
                .history(History.get(
                        "fundingRateHistory_{}",
                        V3 + "fundingRate/history?symbol={key}&sT={from_ms}&eT={to_ms}&limit=100",
                        Paging.OLDER,
                        100))
                .build();
    }

    /** The contracts that are open, or those of the tickers as long as the list is missing. */
    private static List<String> symbols(VenueResponses responses) {
        List<JsonValue> listed = responses.rows("allInstruments", "data");
        return !listed.isEmpty()
                ? listed.stream()
                        .filter(instrument -> instrument.is("status", "OPEN"))
                        .map(instrument -> instrument.textOrNull("symbol"))
                        .filter(symbol -> symbol != null && symbol.endsWith(ENDING))
                        .toList()
                : responses.rowsBy("s", "tickers", "data").keySet().stream()
                        .filter(symbol -> symbol.endsWith(ENDING))
                        .toList();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> tickers = responses.rowsBy("s", "tickers", "data");
        Map<String, JsonValue> listed = responses.rowsBy("symbol", "allInstruments", "data");
        for (Response response : responses.all("fundingRate_{}")) {
            JsonValue data = response.body().at("data");
            rows.each(data.isArray() ? data.elements() : List.of(data), "s", rate -> {
                String symbol = rate.text("s");
                Symbols.BaseQuote pair = Symbols.splitAtLast(Symbols.before(ENDING, symbol), '_');
                JsonValue instrument = listed.get(symbol);
                if (instrument != null) {
                    Skip.unless(instrument.is("status", "OPEN"), Skip.NOT_TRADING);
                    Skip.unless(instrument.is("ctType", "LINEAR"), Skip.UNKNOWN_STATE);
                }
                JsonValue ticker = tickers.getOrDefault(symbol, rate.at("none"));
                Long next = rate.millis("nFT");
                return QuoteBuilder.linear(pair.base(), pair.quote())
                        .rate(rate.fundingRate("nFR"))
                        .intervalBetween(rate.millis("fT"), next)
                        .next(next)
                        .mark(ticker.price("mPx"))
                        .index(ticker.price("iPx"))
                        .venueTime(rate.millis("ts"))
                        .observedAt(response.readAtMs());
            });
        }
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("200", body, "code", "msg", "429");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("data"), row -> row.text("s"), row -> Settled.fraction(row.millis("fT"), row.decimal("fR")));
    }
}
