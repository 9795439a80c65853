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
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pionex.
 *
 * <p>{@code nextFundingRate} is the estimate of the settlement at {@code nextFundingTime}. No response has an interval:
 * the interval guard supplies it from settlements. In a recording it is the gap from the newest one. The
 * base coin is taken from the symbol; {@code baseCurrency} is the exchange's own code ({@code ZEROG} for 0G). Prices are per coin throughout.
 *
 * <pre>{@code
 * indexes: {"symbol": "BTC_USDT_PERP", "indexPrice": "64020.11", "markPrice": "64010.5",
 *   "nextFundingRate": "0.0000394094", "nextFundingTime": 1790006400000, "updateTime": 1789999997200}
 * }</pre>
 */
final class Pionex implements Venue {
    private static final String V1 = "https://api.pionex.com/api/v1/";
    private static final String ENDING = "_PERP";
    private static final String SETTLED = "fundingRates_{}";
    private static final long TOGETHER_MS = Duration.ofHours(2).toMillis();

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("pionex")
                .docs("https://www.pionex.com/docs/api-docs/futures-api", "2026-09-22")
                .rate(RateKind.ESTIMATE)
                .limit("api.pionex.com", 10, 1)
                .request(get("indexes", V1 + "market/indexes").weight(5))
                .request(get("symbols_PERP", V1 + "common/symbols?type=PERP")
                        .weight(5)
                        .hourly())
                // a request for more than 100 rows fails; a start time is ignored
                .history(History.get(
                                SETTLED,
                                V1 + "market/fundingRates?symbol={key}&endTime={to_ms}&limit=100",
                                Paging.OLDER,
                                100)
                        .weight(5))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> listed = responses.rowsBy("symbol", "symbols_PERP", "data", "symbols");
        Map<String, JsonValue> settled = responses.bodiesByKey(SETTLED); // in recordings only
        rows.each(responses.rows("indexes", "data", "indexes"), "symbol", row -> {
            String symbol = row.text("symbol");
            Symbols.BaseQuote pair = Symbols.splitAtLast(Symbols.before(ENDING, symbol), '_');
            if (!listed.isEmpty() && !Skip.ifUnlisted(listed, symbol).is("status", "TRADING")) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            Long next = row.millis("nextFundingTime");
            Long time = row.millis("updateTime");
            return QuoteBuilder.linear(pair.base(), pair.quote())
                    .rate(row.fundingRate("nextFundingRate"))
                    .intervalBetween(newest(settled.get(symbol), time), next)
                    .next(next)
                    .mark(row.price("markPrice"))
                    .index(row.price("indexPrice"))
                    .venueTime(time);
        });
    }

    /** The newest settlement of a response that was recorded within two hours of the row; else null. */
    private static @Nullable Long newest(@Nullable JsonValue settled, @Nullable Long time) {
        if (settled == null || time == null) {
            return null;
        }
        Long readAt = settled.millis("timestamp");
        return readAt != null && Math.abs(time - readAt) <= TOGETHER_MS
                ? settled.at("data").at("rates").at(0).millis("fundingTime")
                : null;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.is("result", "false")
                ? new VenueError(body.textOrNull("code") + " " + body.textOrNull("message"), false)
                : null;
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("data").list("rates"),
                row -> Settled.fraction(row.millis("fundingTime"), row.decimal("fundingRate")));
    }
}
