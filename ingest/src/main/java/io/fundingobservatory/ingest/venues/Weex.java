package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
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
import io.fundingobservatory.topics.records.RateKind;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * WEEX.
 *
 * <p>{@code forecastFundingRate} is the running estimate of the settlement at {@code nextFundingTime}; {@code
 * lastFundingRate} here really is the last settled one. {@code collectCycle} is the interval in minutes.
 * {@code time} is the clock of the response, so no row has its own time. A dead row has a next settlement
 * long past. Mark and index move once a minute, on the minute.
 *
 * <pre>{@code
 * premiumIndex: {"symbol": "BTCUSDT", "markPrice": "64010.5", "indexPrice": "64020.11",
 *   "forecastFundingRate": "0.00005618", "nextFundingTime": 1790006400000, "time": 1789999998265,
 *   "collectCycle": 480}
 * }</pre>
 */
final class Weex implements Venue {
    private static final String API = "https://api-contract.weex.com/capi/v3/market/";
    private static final long LONG_AGO_MS = 30L * 24 * 3_600_000;

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("weex")
                .docs("https://www.weex.com/api-doc/contract/Market_API/GetPremiumIndex", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("api-contract.weex.com", 500, 10)
                .request(get("premiumIndex", API + "premiumIndex"))
                .request(get("exchangeInfo", API + "exchangeInfo").hourly())
                .history(History.get(
                                "fundingRate_history",
                                API + "fundingRate?symbol={key}&startTime={from_ms}&endTime={to_ms}&limit=1000",
                                Paging.OLDER,
                                1000)
                        .longest(Duration.ofDays(7)) // "Time range cannot exceed 7 days"
                        .weight(5))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> listed = responses.rowsBy("symbol", "exchangeInfo", "symbols");
        boolean listKnown = !listed.isEmpty();
        rows.each(responses.rows("premiumIndex"), "symbol", row -> {
            QuoteBuilder builder =
                    listKnown ? listed(Skip.ifUnlisted(listed, row.text("symbol"))) : named(row.text("symbol"));
            Long next = row.millis("nextFundingTime");
            Long now = row.millis("time");
            if (next != null && now != null && next < now - LONG_AGO_MS) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            return builder.rate(row.fundingRate("forecastFundingRate"))
                    .intervalMinutes(row.positiveOrNull("collectCycle"), ROW)
                    .next(next)
                    .mark(row.price("markPrice"))
                    .index(row.price("indexPrice"));
        });
    }

    private static QuoteBuilder listed(JsonValue instrument) {
        // the older list has no type; nothing but perpetuals was in it
        if (instrument.has("contractType") && !instrument.is("contractType", "PERPETUAL", "TRADIFI_PERPETUAL")) {
            throw Skip.because(Skip.NOT_PERPETUAL);
        }
        String base = instrument.text("baseAsset");
        String quote = instrument.text("quoteAsset");
        return instrument.is("forwardContractFlag", "false")
                ? QuoteBuilder.inverse(base, quote)
                : QuoteBuilder.linear(base, quote);
    }

    private static QuoteBuilder named(String symbol) {
        Symbols.BaseQuote pair = Symbols.cutQuote(symbol, "USDT");
        return QuoteBuilder.linear(pair.base(), pair.quote());
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "msg");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.elements(),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("fundingTime"), row.decimal("fundingRate")));
    }
}
