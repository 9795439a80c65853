package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.RateKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * ApeX Omni, requested contract by contract.
 *
 * <p>{@code fundingRate} is the estimate per hour, and every contract settles hourly; {@code predictedFundingRate} is the
 * constant interest part and no prediction. For 5 seconds after the hour the row is still that of the settlement just passed, and is
 * left out. Perpetuals and stock contracts are perpetual, prediction contracts are not. Rates
 * and prices go by {@code crossSymbolName} ({@code BTCUSDT}), settled rates by {@code symbol} ({@code BTC-USDT}).
 *
 * <pre>{@code
 * ticker_1000PEPEUSDT: {"symbol": "1000PEPEUSDT", "fundingRate": 1.25e-05,
 *   "nextFundingTime": "2026-09-21T15:00:00Z", "markPrice": 0.0069, "indexPrice": ""}
 * }</pre>
 */
final class Apex implements Venue {
    private static final String V3 = "https://omni.apex.exchange/api/v3/";
    private static final List<String> PERPETUAL = List.of("perpetualContract", "stockContract");

    /** Coins have a category of their kind (L1, MEME) or none. */
    private static final Map<String, AssetClass> CLASSES =
            Map.of("STOCK", AssetClass.EQUITY, "COMMODITY", AssetClass.COMMODITY, "INDEX", AssetClass.INDEX);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("apex")
                .docs("https://api-docs.pro.apex.exchange/", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                .limit("omni.apex.exchange", 600, 60)
                .request(get("symbols", V3 + "symbols").hourly())
                // 125 contracts: all of them every minute would be the whole share, and the history has the same budget
                .request(get("ticker_{}", V3 + "ticker?symbol={}")
                        .everyMinutes(2)
                        .each(responses -> List.copyOf(live(responses).keySet())))
                .history(History.get(
                                "history-funding_{}",
                                V3 + "history-funding?symbol={key}&limit=100&beginTimeInclusive={from_ms}"
                                        + "&endTimeExclusive={to_ms}",
                                Paging.OLDER,
                                100)
                        .keys(Apex::historyKeys))
                .build();
    }

    private static Map<String, JsonValue> contracts(VenueResponses responses, String kind) {
        return responses.rowsBy("crossSymbolName", "symbols", "data", "contractConfig", kind);
    }

    private static Map<String, JsonValue> live(VenueResponses responses) {
        var live = new LinkedHashMap<String, JsonValue>();
        PERPETUAL.forEach(kind -> live.putAll(contracts(responses, kind)));
        // contradicted contracts are requested, so that they are counted
        live.values().removeIf(contract -> !contract.isContradicted() && !isLive(contract));
        return live;
    }

    private static boolean isLive(JsonValue contract) {
        return contract.flag("enableTrade")
                && contract.flag("enableDisplay")
                && contract.flag("enableOpenPosition")
                && !contract.flag("isPrelaunch");
    }

    private static Map<String, String> historyKeys(VenueResponses responses) {
        var keys = new LinkedHashMap<String, String>();
        live(responses).forEach((crossName, contract) -> {
            String name = contract.isContradicted() ? null : contract.textOrNull("symbol");
            if (name != null) {
                keys.put(name, crossName);
            }
        });
        return keys;
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        var listed = new LinkedHashMap<>(contracts(responses, "predictionContract"));
        PERPETUAL.forEach(kind -> listed.putAll(contracts(responses, kind)));
        Map<String, JsonValue> live = live(responses);
        for (Response response : responses.all("ticker_{}")) {
            List<JsonValue> rates = response.body().list("data");
            // an unknown symbol gets an empty list: a row without a rate
            rows.each(
                    rates.isEmpty() ? List.of(response.body().at("none")) : rates,
                    row -> response.key(),
                    (symbol, row) -> {
                        JsonValue contract = Skip.ifUnlisted(listed, symbol);
                        if (contract.is("contractType", "PREDICTION_CONTRACT")) {
                            throw Skip.because(Skip.NOT_PERPETUAL);
                        }
                        if (!live.containsKey(symbol)) {
                            throw Skip.because(Skip.NOT_TRADING);
                        }
                        Long next = row.iso("nextFundingTime");
                        Skip.ifSettlementPassed(next, response.readAtMs(), Duration.ZERO);
                        return QuoteBuilder.linear(contract.text("baseTokenId"), contract.text("settleAssetId"))
                                .assetClass(contract.textOrNull("category"), CLASSES)
                                .rate(row.fundingRate("fundingRate"))
                                .intervalHours(1, DOCUMENTED)
                                .next(next)
                                .mark(row.price("markPrice"))
                                .index(row.price("indexPrice"))
                                .observedAt(response.readAtMs());
                    });
        }
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.has("data") ? null : VenueError.unless("0", body, "code", "msg");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("data").list("historyFunds"),
                row -> row.text("symbol").replace("-", ""),
                row -> Settled.fraction(row.millis("fundingTime"), row.decimal("rate")));
    }
}
