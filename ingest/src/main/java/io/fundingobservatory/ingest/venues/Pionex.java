package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;

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
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pionex.
 *
 * <p>{@code nextFundingRate} is the estimate of the settlement at {@code nextFundingTime}. No response has an interval: it is
 * derived from the newest settlements of each contract, and null until then. The base coin is taken from the symbol;
 * {@code baseCurrency} is the exchange's own code ({@code ZEROG} for 0G). Prices are per coin throughout.
 *
 * <pre>{@code
 * indexes: {"symbol": "BTC_USDT_PERP", "indexPrice": "64020.11", "markPrice": "64010.5",
 *   "nextFundingRate": "0.0000394094", "nextFundingTime": 1790006400000, "updateTime": 1789999997200}
 * }</pre>
 */
final class Pionex implements Venue {
    private static final String V1 = "https://api.pionex.com/api/v1/";
    private static final String ENDING = "_PERP";

    /** Time for which a settlement may be missing in the list. */
    private static final long LISTED_WITHIN_MS = Duration.ofMinutes(2).toMillis();

    private static final long ASSUMED_MS = Duration.ofHours(2).toMillis();

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
                .request(get("fundingRates_{}", V1 + "market/fundingRates?symbol={}&limit=2")
                        .weight(5)
                        .hourly()
                        .each(Pionex::symbols))
                // a request for more than 100 rows fails; a start time is ignored
                .history(History.get(
                                "fundingRates_{}",
                                V1 + "market/fundingRates?symbol={key}&endTime={to_ms}&limit=100",
                                Paging.OLDER,
                                100)
                        .weight(5))
                .build();
    }

    private static List<String> symbols(VenueResponses responses) {
        return List.copyOf(
                responses.rowsBy("symbol", "indexes", "data", "indexes").keySet());
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> listed = responses.rowsBy("symbol", "symbols_PERP", "data", "symbols");
        Map<String, JsonValue> settled = responses.bodiesByKey("fundingRates_{}");
        rows.each(responses.rows("indexes", "data", "indexes"), "symbol", row -> {
            String symbol = row.text("symbol");
            Symbols.Pair pair = Symbols.splitAtLast(Symbols.before(ENDING, symbol), '_');
            if (!listed.isEmpty() && !Skip.ifUnlisted(listed, symbol).is("status", "TRADING")) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            Long next = row.millis("nextFundingTime");
            Long time = row.millis("updateTime");
            JsonValue history = settled.get(symbol);
            return QuoteBuilder.linear(pair.base(), pair.quote())
                    .rate(row.fundingRate("nextFundingRate"))
                    .intervalBetween(
                            history == null || next == null || time == null
                                    ? null
                                    : settlementBefore(next, time, history),
                            next)
                    .next(next)
                    .mark(row.price("markPrice"))
                    .index(row.price("indexPrice"))
                    .venueTime(time);
        });
    }

    /**
     * The settlement before {@code next}. Exact while no whole hour has passed between the two responses.
     * Until the settlements are read again, the gap of the two newest ones is used. It must lead from {@code
     * next} back to the newest one, or to an hour since then.
     */
    private static @Nullable Long settlementBefore(long next, long time, JsonValue history) {
        List<JsonValue> rates = history.at("data").list("rates");
        Long newest = minute(rates, 0);
        Long readAt = history.millis("timestamp");
        if (newest == null || readAt == null || newest > time || next <= time) {
            return null;
        }
        long hour = Instants.hourBelow(readAt);
        boolean listed = newest >= hour || readAt - hour >= LISTED_WITHIN_MS;
        if (listed && (readAt >= time || Instants.nextHour(readAt) > time)) {
            return newest;
        }
        Long before = minute(rates, 1);
        long gap = before == null ? 0 : newest - before;
        long previous = next - gap;
        boolean mayBe = previous == newest || (previous > readAt - LISTED_WITHIN_MS && previous <= time);
        return gap > 0 && mayBe && time - readAt <= ASSUMED_MS ? Long.valueOf(previous) : null;
    }

    private static @Nullable Long minute(List<JsonValue> rates, int position) {
        Long settled = position < rates.size() ? rates.get(position).millis("fundingTime") : null;
        return settled == null ? null : Instants.nearestMinute(settled);
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
