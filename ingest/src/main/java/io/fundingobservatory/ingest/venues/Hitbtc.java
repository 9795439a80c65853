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
import io.fundingobservatory.ingest.spec.Symbols;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HitBTC.
 *
 * <p>{@code funding_rate} is constant for the whole interval and is charged at {@code next_funding_time}:
 * fixed, not an estimate. {@code indicative_funding_rate} estimates the settlement after it. Every contract
 * settles every 8 hours, which no response contains. Suspended contracts keep their rows, with a mark of 0 or
 * a next settlement long ago. A contract's base coin is {@code underlying}; its {@code base_currency} is
 * null.
 *
 * <pre>{@code
 * futures_info: {"contract_type": "perpetual", "mark_price": "64010.50", "index_price": "64020.11",
 *   "funding_rate": "0.0001", "next_funding_time": "2026-09-21T16:00:00.000Z",
 *   "timestamp": "2026-09-21T14:13:17.693Z"}
 * }</pre>
 */
final class Hitbtc implements Venue {
    private static final String V3 = "https://api.hitbtc.com/api/3/public/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("hitbtc")
                .docs("https://api.hitbtc.com/", "2026-09-23")
                .rate(RateKind.FIXED)
                .limit("api.hitbtc.com", 30, 1)
                .request(get("futures_info", V3 + "futures/info"))
                .request(get("symbol", V3 + "symbol").hourly())
                // counts from when rates were fixed, an interval before they settle: only the end can be set
                .history(History.get(
                        "futures_history_funding_{}",
                        V3 + "futures/history/funding?symbols={key}&until={to_iso}&sort=DESC&limit=100",
                        Paging.OLDER,
                        100))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> listed =
                responses.body("symbol").map(JsonValue::members).orElse(Map.of());
        for (JsonValue body : responses.bodies("futures_info")) {
            long now = clock(body);
            rows.each(body.members(), (symbol, row) -> {
                if (row.has("contract_type") ? !row.is("contract_type", "perpetual") : !symbol.endsWith("_PERP")) {
                    throw Skip.because(Skip.NOT_PERPETUAL);
                }
                JsonValue contract = !listed.isEmpty() ? Skip.ifUnlisted(listed, symbol) : null;
                Long next = row.iso("next_funding_time");
                BigDecimal mark = row.decimalOrNull("mark_price");
                boolean dead = (mark != null && mark.signum() == 0) || next == null || next < now;
                if (dead || (contract != null && !contract.is("status", "working"))) {
                    throw Skip.because(Skip.NOT_TRADING);
                }
                Symbols.BaseQuote pair = contract == null
                        ? Symbols.cutQuote(Symbols.before("_PERP", symbol), "USDT", "USDC", "USD", "BTC")
                        : new Symbols.BaseQuote(contract.text("underlying"), contract.text("quote_currency"));
                return QuoteBuilder.linear(pair.base(), pair.quote())
                        .rate(row.fundingRate("funding_rate"))
                        .intervalHours(8, DOCUMENTED)
                        .next(next)
                        .mark(row.price("mark_price"))
                        .index(row.price("index_price"))
                        .venueTime(row.iso("timestamp"));
            });
        }
    }

    /** The exchange's clock: the median of the rows' times, because frozen rows keep the time at which they froze. */
    private static long clock(JsonValue body) {
        long[] times = body.members().values().stream()
                .mapToLong(Hitbtc::timeOrZero)
                .filter(time -> time > 0)
                .sorted()
                .toArray();
        return times.length == 0 ? 0 : times[times.length / 2];
    }

    private static long timeOrZero(JsonValue row) {
        try {
            Long time = row.iso("timestamp");
            return time == null ? 0 : time;
        } catch (Skip unreadable) {
            return 0;
        }
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        JsonValue error = body.at("error");
        if (!error.exists()) {
            return null;
        }
        String code = error.textOrNull("code");
        return new VenueError(
                code == null ? "error " + body.textOrNull("error") : code + " " + error.textOrNull("message"),
                body.is("status", "429"));
    }

    /** A row is written when its rate is fixed, one interval before {@code next_funding_time} charges it. */
    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        body.members()
                .forEach((symbol, rates) -> settlements.each(
                        rates.elements(),
                        row -> symbol,
                        row -> Settled.fraction(row.iso("next_funding_time"), row.decimal("funding_rate"))));
    }
}
