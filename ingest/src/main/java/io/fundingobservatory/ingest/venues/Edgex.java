package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.INSTRUMENT_LIST;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

import com.google.errorprone.annotations.CompileTimeConstant;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.Instants;
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
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * edgeX, version 2.
 *
 * <p>A row has three rates: {@code forecastFundingRate} is the estimate of the settlement to come, {@code
 * fundingRate} the last settled one, {@code predictedFundingRate} only the interest floor. The forecast is
 * empty in the minute of a settlement.
 *
 * <pre>{@code
 * getLatestFundingRate: {"contractId": "30000001", "fundingTime": "1789992000000",
 *   "fundingTimestamp": "1789999980000", "indexPrice": "64020.1",
 *   "forecastFundingRate": "-0.00004411", "fundingRateIntervalMin": "240"}
 * }</pre>
 */
final class Edgex implements Venue {
    private static final String API = "https://edgex-prod-v2.edgex.exchange/api/v2/public/";
    private static final int IDS_PER_REQUEST = 200;
    private static final BigDecimal MINUTES = BigDecimal.valueOf(60);
    private static final BigDecimal MINUTE_MS = BigDecimal.valueOf(60_000);
    private static final String FORECAST = "forecastFundingRate";

    /** A minute by the facts, and one more for clocks and the way of the response. */
    private static final Duration FORECAST_BLANK = Duration.ofMinutes(2);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("edgex")
                .docs("https://edgex-1.gitbook.io/edgeX-documentation/api-v2/public-api", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                // No limit is published; one request a second is assumed.
                .limit("edgex-prod-v2.edgex.exchange", 60, 60)
                .request(get("getMetaData", API + "meta/getMetaData").hourly())
                .request(get("getLatestFundingRate", API + "funding/getLatestFundingRate?contractId={}")
                        .each(Edgex::contractIds))
                .history(History.get(
                                "getFundingRatePage_{}",
                                API
                                        + "funding/getFundingRatePage?contractId={key}&size=100&filterSettlementFundingRate=true"
                                        + "&filterBeginTimeInclusive={from_ms}&filterEndTimeExclusive={to_ms}",
                                Paging.OLDER,
                                100)
                        .keys(Edgex::symbolsByContract))
                .build();
    }

    private static List<String> contractIds(VenueResponses responses) {
        var ids = new ArrayList<>(contracts(responses).keySet());
        var chunks = new ArrayList<String>();
        for (int from = 0; from < ids.size(); from += IDS_PER_REQUEST) {
            chunks.add(String.join(",", ids.subList(from, Math.min(from + IDS_PER_REQUEST, ids.size()))));
        }
        return chunks;
    }

    private static Map<String, String> symbolsByContract(VenueResponses responses) {
        var symbols = new LinkedHashMap<String, String>();
        contracts(responses).forEach((id, contract) -> {
            String name = contract.isContradicted() ? null : contract.textOrNull("contractName");
            if (name != null) {
                symbols.put(id, name);
            }
        });
        return symbols;
    }

    private static Map<String, JsonValue> contracts(VenueResponses responses) {
        return responses.rowsBy("contractId", "getMetaData", "data", "contractList");
    }

    /** Metals have neither flag, so a contract without one may be of any other class. */
    private static @Nullable AssetClass assetClass(JsonValue contract) {
        return contract.flag("isStock") ? AssetClass.EQUITY : contract.flag("isFx") ? AssetClass.FX : null;
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> contracts = contracts(responses);
        Map<String, JsonValue> coins = responses.rowsBy("coinId", "getMetaData", "data", "coinList");

        for (Response response : responses.all("getLatestFundingRate")) {
            rows.each(response.body().at("data").elements(), row -> symbol(contracts, row), (symbol, row) -> {
                JsonValue contract = Skip.ifUnlisted(contracts, row.text("contractId"));
                Skip.unless(
                        contract.flag("enableTrade")
                                && contract.flag("enableOpenPosition")
                                && contract.flag("enableDisplay"),
                        Skip.NOT_TRADING);
                boolean inRow = row.has("fundingRateIntervalMin");
                BigDecimal minutes = (inRow ? row : contract).positiveOrNull("fundingRateIntervalMin");
                Long next = next(row.millis("fundingTime"), minutes, row.millis("fundingTimestamp"));
                Skip.unless(!isBlankAtSettlement(row, next, minutes, response.readAtMs()), Skip.SETTLEMENT_PASSED);
                BigDecimal mark = row.price("markPrice");
                return QuoteBuilder.linear(coin(coins, contract, "baseCoinId"), coin(coins, contract, "quoteCoinId"))
                        .assetClass(assetClass(contract))
                        .rate(row.fundingRate(FORECAST))
                        .intervalMinutes(minutes, inRow ? ROW : INSTRUMENT_LIST)
                        .next(next)
                        .mark(mark == null ? row.price("oraclePrice") : mark)
                        .index(row.price("indexPrice"))
                        .venueTime(row.millis("fundingTimestamp"))
                        .observedAt(response.readAtMs());
            });
        }
    }

    /** The contract's name; its number where the list lacks it. */
    private static String symbol(Map<String, JsonValue> contracts, JsonValue row) {
        JsonValue contract = contracts.get(row.text("contractId"));
        return contract == null ? row.text("contractId") : contract.text("contractName");
    }

    private static String coin(Map<String, JsonValue> coins, JsonValue contract, @CompileTimeConstant String field) {
        return Skip.ifUnlisted(coins, contract.text(field)).text("coinName");
    }

    /** The forecast is there but empty, as it may be in the minute of a settlement. */
    private static boolean isBlankAtSettlement(
            JsonValue row, @Nullable Long nextMs, @Nullable BigDecimal minutes, long readAtMs) {
        return row.has(FORECAST)
                && row.textOrNull(FORECAST) == null
                && minutes != null
                && Instants.isJustSettled(nextMs, minutes.multiply(MINUTE_MS), readAtMs, FORECAST_BLANK);
    }

    /** One interval after the last settlement; a row can lag behind by one, and then the next multiple of the interval is meant. */
    private static @Nullable Long next(@Nullable Long lastMs, @Nullable BigDecimal minutes, @Nullable Long nowMs) {
        if (lastMs == null || minutes == null) {
            return null;
        }
        long intervalMs = minutes.multiply(MINUTE_MS).longValue();
        long next = lastMs + intervalMs;
        return nowMs == null || next > nowMs || intervalMs <= 0 ? next : Instants.nextMultiple(nowMs, intervalMs);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("SUCCESS", body, "code", "msg");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        var settled = body.at("data").list("dataList").stream().filter(row -> row.flag("isSettlement"));
        settlements.each(settled.toList(), row -> {
            BigDecimal minutes = row.positiveOrNull("fundingRateIntervalMin");
            return Settled.fraction(row.millis("fundingTime"), row.fundingRate("fundingRate"))
                    .interval(minutes == null ? null : minutes.divide(MINUTES, MathContext.DECIMAL64));
        });
    }
}
