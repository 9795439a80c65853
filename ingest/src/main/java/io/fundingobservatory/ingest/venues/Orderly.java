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
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Orderly Network: one order book behind many front ends. A symbol may end in the front end that listed it.
 *
 * <p>{@code est_funding_rate} is for the symbol's own {@code funding_period}, 8, 4 or 1 hours, which only
 * {@code info} has. Without it, {@code funding_rates} gives the gap between the last settlement and the next.
 * Without {@code futures}, it gives the rates without prices.
 *
 * <pre>{@code
 * futures: {"symbol": "PERP_BTC_USDC", "status": "ACTIVE", "index_price": 64020.1,
 *   "mark_price": 64009.1, "est_funding_rate": 0.0001, "next_funding_time": 1790006400000}
 * }</pre>
 */
final class Orderly implements Venue {
    private static final String API = "https://api.orderly.org/v1/public/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("orderly")
                .docs("https://orderly.network/docs/build-on-omnichain", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                .limit("api.orderly.org", 10, 1)
                .request(get("futures", API + "futures").rates())
                .request(get("funding_rates", API + "funding_rates"))
                .request(get("info", API + "info").hourly())
                .history(History.get(
                        "funding_rate_history_{}",
                        API + "funding_rate_history?symbol={key}&start_t={from_ms}&end_t={to_ms}&page={page}&size=500",
                        Paging.PAGE,
                        500))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> listed = responses.rowsBy("symbol", "info", "data", "rows");
        Map<String, JsonValue> timed = responses.rowsBy("symbol", "funding_rates", "data", "rows");
        String live = responses.rows("futures", "data", "rows").isEmpty() ? "funding_rates" : "futures";

        rows.each(responses.rows(live, "data", "rows"), "symbol", row -> {
            JsonValue instrument = listed.get(row.text("symbol"));
            JsonValue state = row.has("status") || instrument == null ? row : instrument;
            Skip.unless(!state.has("status") || state.is("status", "ACTIVE"), Skip.NOT_TRADING);
            String[] parts = row.text("symbol").split("_", -1);
            Skip.unless(parts.length >= 3 && parts[0].equals("PERP"), Skip.NOT_PERPETUAL);
            QuoteBuilder builder = QuoteBuilder.linear(parts[1], parts[2])
                    .rate(row.fundingRate("est_funding_rate"))
                    .between(
                            instrument == null ? null : instrument.decimalOrNull("floor_funding"),
                            instrument == null ? null : instrument.decimalOrNull("cap_funding"))
                    .next(row.millis("next_funding_time"))
                    .mark(row.price("mark_price"))
                    .index(row.price("index_price"));
            BigDecimal hours = instrument == null ? null : instrument.positiveOrNull("funding_period");
            if (hours != null) {
                return builder.intervalHours(hours, INSTRUMENT_LIST);
            }
            JsonValue times = timed.get(row.text("symbol"));
            return times == null
                    ? builder
                    : builder.intervalBetween(
                            times.millis("last_funding_rate_timestamp"), times.millis("next_funding_time"));
        });
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.is("success", "false")
                ? new VenueError(body.textOrNull("code") + " " + body.textOrNull("message"), body.is("code", "-1003"))
                : null;
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("data").list("rows"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("funding_rate_timestamp"), row.fundingRate("funding_rate")));
    }
}
