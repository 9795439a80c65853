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
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Aster, in Binance's wire format.
 *
 * <p>{@code lastFundingRate} is, in spite of its name, the running estimate of the settlement at {@code
 * nextFundingTime}. {@code fundingInfo} lists every symbol's interval (1, 2, 4 and 8 hours). Rows that are
 * not contracts ({@code BTCUSD}) carry rate 0. Only {@code exchangeInfo} shows which contracts trade.
 *
 * <p>Measured 2026-09-16: the limit is 2400 units of weight a minute. A front server refuses after about 40
 * requests a minute (429, an empty body, no {@code Retry-After}). Settled history counts against the latter,
 * in a pool of its own: its 429 does not pause rates.
 *
 * <p>A share's dividend is a special payment at 20:00 New York on the day before the ex-date, right after the ordinary one. No
 * field marks it, so its instant tells it ({@link Settlements}).
 *
 * <pre>{@code
 * premiumIndex: {"symbol": "BTCUSDT", "markPrice": "64012.40000000", "indexPrice": "64020.11000000",
 *   "lastFundingRate": "0.00007310", "nextFundingTime": 1790006400000, "time": 1789999998000}
 * }</pre>
 */
final class Aster implements Venue {
    private static final String FAPI = "https://fapi.asterdex.com/fapi/v1/";
    private static final String HISTORY = "requests for history";

    /** A fund, ETF, is none of these. */
    private static final Map<String, AssetClass> CLASSES =
            Map.of("STOCK", AssetClass.EQUITY, "Commodities", AssetClass.COMMODITY);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("aster")
                .docs("https://github.com/asterdex/api-docs", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                .limit("fapi.asterdex.com", 2400, 60)
                .pool(HISTORY, 40, 60)
                .request(get("premiumIndex", FAPI + "premiumIndex").weight(10))
                .request(get("fundingInfo", FAPI + "fundingInfo").weight(10).hourly())
                .request(get("exchangeInfo", FAPI + "exchangeInfo").hourly())
                .history(History.get(
                                "fundingRate_{}",
                                FAPI + "fundingRate?symbol={key}&startTime={from_ms}&endTime={to_ms}&limit=1000",
                                Paging.NEWER,
                                1000)
                        .pool(HISTORY))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> intervals = responses.rowsBy("symbol", "fundingInfo");
        Map<String, JsonValue> listed = responses.rowsBy("symbol", "exchangeInfo", "symbols");

        rows.each(responses.rows("premiumIndex"), "symbol", row -> {
            JsonValue instrument = Skip.ifUnlisted(listed, row.text("symbol"));
            Skip.unless(instrument.is("status", "TRADING"), Skip.NOT_TRADING);
            Skip.unless(instrument.is("contractType", "PERPETUAL"), Skip.NOT_PERPETUAL);
            JsonValue interval = intervals.get(row.text("symbol"));
            return QuoteBuilder.linear(instrument.text("baseAsset"), instrument.text("quoteAsset"))
                    .assetClass(instrument.list("underlyingSubType"), CLASSES)
                    .rate(row.fundingRate("lastFundingRate"))
                    .between(
                            interval == null ? null : interval.decimalOrNull("fundingFeeFloor"),
                            interval == null ? null : interval.decimalOrNull("fundingFeeCap"))
                    // A symbol without its own line: 8 hours by hearsay only, so unknown.
                    .intervalHours(
                            interval == null ? null : interval.positiveOrNull("fundingIntervalHours"), INSTRUMENT_LIST)
                    .next(row.millis("nextFundingTime"))
                    .mark(row.price("markPrice"))
                    .index(row.price("indexPrice"))
                    .venueTime(row.millis("time"));
        });
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.ifCoded(body, "code", "msg", "-1003");
    }

    /** Oldest first: of two different rows of one instant the first is the ordinary payment. */
    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        var ordinary = new HashMap<String, BigDecimal>();
        settlements.each(body.elements(), row -> row.text("symbol"), row -> {
            Binance.requireFunding(row); // the mark has not been seen here, but it is Binance's wire format
            BigDecimal rate = row.fundingRate("fundingRate");
            BigDecimal first = ordinary.putIfAbsent(row.text("symbol") + ' ' + row.text("fundingTime"), rate);
            Skip.unless(first == null || first.compareTo(rate) == 0, Skip.SPECIAL_PAYMENT);
            return Settled.fraction(row.millis("fundingTime"), rate);
        });
    }
}
