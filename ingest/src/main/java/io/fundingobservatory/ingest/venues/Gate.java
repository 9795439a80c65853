package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

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
import io.fundingobservatory.ingest.spec.Symbols.BaseQuote;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gate futures v4: one list for each settlement currency carries rate, interval (seconds), prices and status.
 *
 * <p>Requested without {@code limit}: with one the list is cut at 100 rows. Prices are per single coin, however
 * many coins a contract holds. For about a minute after a settlement {@code funding_rate} is the rate just
 * charged, although {@code funding_next_apply} has the next settlement. It is then shown as the last settled
 * rate.
 *
 * <pre>{@code
 * futures_usdt_contracts: {"name": "BTC_USDT", "type": "direct", "contract_type": "",
 *   "status": "trading", "in_delisting": false, "is_pre_market": false, "funding_rate": "0.000076",
 *   "funding_interval": 28800, "funding_next_apply": 1790006400, "mark_price": "64010.5",
 *   "index_price": "64020.82000000001"}
 * }</pre>
 */
final class Gate implements Venue {
    /** Said to be "about one minute": a quarter of it more, since a settled rate must not pass for a coming one. */
    private static final Duration SETTLED_SHOWN = Duration.ofSeconds(75);

    /** A blank word is a coin. */
    private static final Map<String, AssetClass> CLASSES = Map.of(
            "",
            AssetClass.CRYPTO,
            "stocks",
            AssetClass.EQUITY,
            "indices",
            AssetClass.INDEX,
            "metals",
            AssetClass.COMMODITY);

    private static final String V4 = "https://api.gateio.ws/api/v4/futures/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("gate")
                .docs("https://www.gate.com/docs/developers/apiv4/en/#list-all-futures-contracts", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("api.gateio.ws", 200, 10)
                .request(get("futures_usdt_contracts", V4 + "usdt/contracts"))
                .request(get("futures_btc_contracts", V4 + "btc/contracts"))
                .request(get("futures_usd1_contracts", V4 + "usd1/contracts"))
                .history(history("usdt"))
                .history(history("btc"))
                .history(history("usd1"))
                .build();
    }

    /** Whatever the limit, about 90 rows come back; so a response of that length is followed by another request. */
    private static History history(String settle) {
        String url = V4 + settle + "/funding_rate?contract={key}&from={from_s}&to={to_s}&limit=1000";
        return History.get("funding_rate_{}", url, Paging.OLDER, 80)
                .symbolsIn("futures_" + settle + "_contracts", "name");
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        read(responses.all("futures_usdt_contracts"), ContractType.LINEAR, "direct", rows);
        read(responses.all("futures_usd1_contracts"), ContractType.LINEAR, "direct", rows);
        read(responses.all("futures_btc_contracts"), ContractType.INVERSE, "inverse", rows);
    }

    private static void read(List<Response> lists, ContractType type, String wireType, Rows rows) {
        for (Response list : lists) {
            rows.each(list.body().elements(), "name", row -> builder(row, type, wireType, list.readAtMs()));
        }
    }

    private static QuoteBuilder builder(JsonValue row, ContractType type, String wireType, long readAtMs) {
        if (row.flag("in_delisting") || !row.is("status", "trading")) {
            throw Skip.because(Skip.NOT_TRADING);
        }
        if (row.has("type") && !row.is("type", wireType)) {
            throw Skip.because(Skip.UNKNOWN_STATE);
        }
        BaseQuote pair = Symbols.splitAtLast(row.text("name"), '_');
        BigDecimal seconds = row.positiveOrNull("funding_interval");
        BigDecimal interval = seconds == null ? null : seconds.movePointRight(3);
        Long next = row.seconds("funding_next_apply");
        String word = row.textOrNull("contract_type");
        return QuoteBuilder.of(type, pair.base(), pair.quote())
                .assetClass(row.has("contract_type") && word == null ? "" : word, CLASSES)
                .rate(row.fundingRate("funding_rate"))
                .kind(
                        Instants.isJustSettled(next, interval, readAtMs, SETTLED_SHOWN)
                                ? RateKind.LAST_SETTLED
                                : RateKind.ESTIMATE)
                .intervalMillis(interval, ROW)
                .next(next)
                .mark(row.price("mark_price"))
                // A pre-market contract has no index; the field has another value.
                .index(row.flag("is_pre_market") ? null : row.price("index_price"));
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.has("label")
                ? VenueError.ifCoded(body, "label", "message", "TOO_MANY_REQUESTS")
                : body.isArray() ? null : new VenueError("no list", false);
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(body.elements(), row -> Settled.fraction(row.seconds("t"), row.fundingRate("r")));
    }
}
