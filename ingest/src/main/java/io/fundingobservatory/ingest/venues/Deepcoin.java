package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.INSTRUMENT_LIST;

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
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deepcoin, USDT contracts ({@code SwapU}) and inverse ones ({@code Swap}).
 *
 * <p>Almost half of the rates belong to symbols that no longer trade, and an unknown symbol has a rate of 0.
 * Only symbols that {@code instruments} lists as live are shown. Funding responses spell {@code BTCUSDT} what
 * the others spell {@code BTC-USDT-SWAP}. {@code baseCcy} is cut off at eight letters, so the base coin is
 * taken from {@code instId}. There is no index price. The declared interval is false for some contracts: one
 * hour declared, four hours charged. The interval guard compares it with the settlements.
 *
 * <pre>{@code
 * current-funding-rate_SwapU: {"instrumentId": "BTCUSDT", "fundingRate": 0.00008712}
 * }</pre>
 */
final class Deepcoin implements Venue {
    private static final String ROOT = "https://api.deepcoin.com/deepcoin/";
    private static final String RATES = ROOT + "trade/fund-rate/current-funding-rate?instType=";
    private static final String CYCLES = ROOT + "trade/funding-rate?instType=";
    private static final String HISTORY = ROOT + "trade/fund-rate/history?instId=";
    private static final String ENDING = "-SWAP";

    /** Pages of the documentation differ between 1 and 10 a second: the rates of now and of the past together keep to 1. */
    private static final String FUND_RATES = "fund-rate";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("deepcoin")
                .docs("https://www.deepcoin.com/docs", "2026-09-22")
                .rate(RateKind.ESTIMATE)
                .limit("api.deepcoin.com", 5, 1)
                .limit("api.deepcoin.com", 600, 60)
                .pool(FUND_RATES, 1, 1)
                .request(get("current-funding-rate_SwapU", RATES + "SwapU")
                        .rates()
                        .pool(FUND_RATES))
                .request(
                        get("current-funding-rate_Swap", RATES + "Swap").rates().pool(FUND_RATES))
                .request(get("funding-rate_SwapU", CYCLES + "SwapU"))
                .request(get("funding-rate_Swap", CYCLES + "Swap"))
                .request(get("mark-price_SWAP", ROOT + "market/mark-price?instType=SWAP"))
                .request(get("instruments_SWAP", ROOT + "market/instruments?instType=SWAP")
                        .hourly())
                // a request for more than 100 rows gets none
                .history(History.get("fund-rate_history_{}", HISTORY + "{key}&page={page}&limit=100", Paging.PAGE, 100)
                        .pool(FUND_RATES)
                        .keys(Deepcoin::historyKeys))
                .build();
    }

    private static Map<String, String> historyKeys(VenueResponses responses) {
        var keys = new LinkedHashMap<String, String>();
        instruments(responses).forEach((compact, instrument) -> {
            if (!instrument.isContradicted()) {
                keys.put(compact, instrument.text("instId"));
            }
        });
        return keys;
    }

    /** The instruments under the spelling of the funding responses. */
    private static Map<String, JsonValue> instruments(VenueResponses responses) {
        var byCompact = new LinkedHashMap<String, JsonValue>();
        responses.rowsBy("instId", "instruments_SWAP", "data").forEach((id, instrument) -> {
            if (id.endsWith(ENDING)) {
                byCompact.put(id.substring(0, id.length() - ENDING.length()).replace("-", ""), instrument);
            }
        });
        return byCompact;
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> instruments = instruments(responses);
        Map<String, JsonValue> marks = responses.rowsBy("instId", "mark-price_SWAP", "data");
        for (String book : new String[] {"SwapU", "Swap"}) {
            ContractType type = book.equals("SwapU") ? ContractType.LINEAR : ContractType.INVERSE;
            Map<String, JsonValue> cycles = responses.rowsBy("instrumentID", "funding-rate_" + book, "data");
            rows.each(
                    responses.rows("current-funding-rate_" + book, "data", "current_fund_rates"),
                    row -> symbol(row.text("instrumentId"), instruments),
                    (symbol, row) -> {
                        String compact = row.text("instrumentId");
                        JsonValue instrument = Skip.ifUnlisted(instruments, compact);
                        // each list has dead symbols of the other book
                        if ((type == ContractType.INVERSE) != instrument.is("quoteCcy", "USD")) {
                            throw Skip.because(Skip.NOT_IN_INSTRUMENT_LIST);
                        }
                        // other states than live are unconfirmed
                        if (!instrument.is("state", "live")) {
                            throw Skip.because(Skip.NOT_TRADING);
                        }
                        Symbols.BaseQuote pair = Symbols.splitAtLast(Symbols.before(ENDING, symbol), '-');
                        JsonValue cycle = cycles.getOrDefault(compact, row.at("none"));
                        JsonValue mark = marks.getOrDefault(symbol, row.at("none"));
                        return QuoteBuilder.of(type, pair.base(), pair.quote())
                                .rate(row.fundingRate("fundingRate"))
                                .intervalSeconds(cycle.positiveOrNull("settleInterval"), INSTRUMENT_LIST)
                                .next(cycle.seconds("nextSettleTime"))
                                .mark(mark.price("markPx"));
                    });
        }
    }

    private static List<JsonValue> rows(JsonValue body) {
        JsonValue data = body.at("data");
        return data.at("rows").isArray() ? data.list("rows") : data.list("list");
    }

    private static String symbol(String compact, Map<String, JsonValue> instruments) {
        JsonValue instrument = instruments.get(compact);
        return instrument == null ? compact : instrument.text("instId");
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "msg");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(rows(body), row -> Settled.fraction(row.seconds("CreateTime"), row.decimal("rate")));
    }
}
