package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;
import static io.fundingobservatory.topics.records.IntervalSource.INSTRUMENT_LIST;

import com.google.errorprone.annotations.CompileTimeConstant;
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
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Binance Futures, USDS-M ({@code fapi}) and COIN-M ({@code dapi}).
 *
 * <p>{@code lastFundingRate} is, in spite of its name, the running estimate of the settlement at {@code
 * nextFundingTime}. The interval is in {@code fundingInfo}; a symbol that is absent there settles every 8
 * hours by documentation. Delisted symbols keep plausible rates and even next times: only {@code
 * exchangeInfo} lists what trades.
 *
 * <p>For 2 to 4 s after a settlement (measured 2026-09-10) a row still names it, with the rate just charged: it is left out.
 *
 * <pre>{@code
 * fapi_premiumIndex: {"symbol": "BTCUSDT", "markPrice": "64010.50000000",
 *   "indexPrice": "64020.11000000", "lastFundingRate": "0.00010000",
 *   "nextFundingTime": 1790006400000, "time": 1789999998000}
 * }</pre>
 */
final class Binance implements Venue {
    private static final String FAPI = "https://fapi.binance.com/fapi/v1/";
    private static final String DAPI = "https://dapi.binance.com/dapi/v1/";
    /** fundingRate and fundingInfo of the USDS-M host share one pool, in addition to their weight. */
    private static final String FUNDING_POOL = "fapi fundingRate and fundingInfo";

    /** Both books; PREMARKET is none of these. */
    private static final Map<String, AssetClass> CLASSES = Map.of(
            "COIN",
            AssetClass.CRYPTO,
            "EQUITY",
            AssetClass.EQUITY,
            "KR_EQUITY",
            AssetClass.EQUITY,
            "COMMODITY",
            AssetClass.COMMODITY,
            "INDEX",
            AssetClass.INDEX);

    private static final BigDecimal DOCUMENTED_HOURS = BigDecimal.valueOf(8);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("binance")
                .docs("https://developers.binance.com/docs/derivatives", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("fapi.binance.com", 2400, 60)
                .limit("dapi.binance.com", 2400, 60)
                .pool(FUNDING_POOL, 500, 300)
                .request(get("fapi_premiumIndex", FAPI + "premiumIndex").weight(10))
                .request(get("dapi_premiumIndex", DAPI + "premiumIndex").weight(10))
                .request(get("fapi_fundingInfo", FAPI + "fundingInfo")
                        .pool(FUNDING_POOL)
                        .hourly())
                .request(get("fapi_exchangeInfo", FAPI + "exchangeInfo").hourly())
                .request(get("dapi_exchangeInfo", DAPI + "exchangeInfo").hourly())
                .history(History.get(
                                "fapi_fundingRate_{}",
                                FAPI + "fundingRate?symbol={key}&startTime={from_ms}&endTime={to_ms}&limit=500",
                                Paging.NEWER,
                                500)
                        .pool(FUNDING_POOL)
                        .symbolsIn("fapi_premiumIndex", "symbol"))
                // Without symbol: all contracts, ascending from startTime. After a settlement one request instead of
                // 600.
                .bulkHistory(History.get(
                                "fapi_fundingRate",
                                FAPI + "fundingRate?startTime={from_ms}&endTime={to_ms}&limit=1000",
                                Paging.NEWER,
                                500)
                        .pool(FUNDING_POOL)
                        .symbolsIn("fapi_premiumIndex", "symbol"))
                .history(History.get(
                                "dapi_fundingRate_{}",
                                DAPI + "fundingRate?symbol={key}&startTime={from_ms}&endTime={to_ms}&limit=500",
                                Paging.NEWER,
                                500)
                        .symbolsIn("dapi_premiumIndex", "symbol"))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        // One list of intervals for both books: the COIN-M rows are in the USDS-M response.
        Map<String, JsonValue> intervals = responses.rowsBy("symbol", "fapi_fundingInfo");
        boolean intervalsKnown = !intervals.isEmpty();

        for (String book : new String[] {"fapi", "dapi"}) {
            ContractType type = book.equals("fapi") ? ContractType.LINEAR : ContractType.INVERSE;
            Map<String, JsonValue> listed = responses.rowsBy("symbol", book + "_exchangeInfo", "symbols");
            rows.each(responses.rows(book + "_premiumIndex"), "symbol", row -> {
                JsonValue instrument = Skip.ifUnlisted(listed, row.text("symbol"));
                requireLivePerpetual(instrument);
                Long next = row.millis("nextFundingTime");
                Skip.ifSettlementPassed(next, rows.readAtMs(), Duration.ZERO);
                JsonValue interval = intervals.get(row.text("symbol"));
                return QuoteBuilder.of(type, instrument.text("baseAsset"), instrument.text("quoteAsset"))
                        .assetClass(instrument.textOrNull("underlyingType"), CLASSES)
                        .rate(row.fundingRate("lastFundingRate"))
                        .between(bound(interval, "adjustedFundingRateFloor"), bound(interval, "adjustedFundingRateCap"))
                        .intervalHours(hours(interval, intervalsKnown), source(interval))
                        .next(next)
                        .mark(row.price("markPrice"))
                        .index(row.price("indexPrice"))
                        .venueTime(row.millis("time"));
            });
        }
    }

    private static void requireLivePerpetual(JsonValue instrument) {
        if (!instrument.is("contractType", "PERPETUAL", "TRADIFI_PERPETUAL")) {
            throw Skip.because(Skip.NOT_PERPETUAL);
        }
        if (!instrument.is(instrument.has("contractStatus") ? "contractStatus" : "status", "TRADING")) {
            throw Skip.because(Skip.NOT_TRADING);
        }
    }

    private static @Nullable BigDecimal bound(@Nullable JsonValue interval, @CompileTimeConstant String field) {
        return interval == null ? null : interval.decimalOrNull(field);
    }

    private static @Nullable BigDecimal hours(@Nullable JsonValue interval, boolean intervalsKnown) {
        if (interval != null) {
            return interval.positiveOrNull("fundingIntervalHours");
        }
        return intervalsKnown ? DOCUMENTED_HOURS : null;
    }

    private static IntervalSource source(@Nullable JsonValue interval) {
        return interval == null ? DOCUMENTED : INSTRUMENT_LIST;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.ifCoded(body, "code", "msg", "-1003");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(body.elements(), row -> row.text("symbol"), row -> {
            requireFunding(row);
            return Settled.fraction(row.millis("fundingTime"), row.decimal("fundingRate"));
        });
    }

    /**
     * Equity perpetuals pass a dividend on as a second row of the settlement, some milliseconds to a second after it. On the calendar
     * day before the ex-date, US shares settle every hour from 16:00 to 20:00 New York. The special payment is at 20:00, and the
     * ordinary interval returns. Rows from before 2026 have no type.
     */
    static void requireFunding(JsonValue settled) {
        String type = settled.textOrNull("rateType");
        Skip.unless(!"Special".equals(type), Skip.SPECIAL_PAYMENT);
        Skip.unless(type == null || type.equals("Regular"), Skip.UNKNOWN_STATE);
    }
}
