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
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * StandX: perpetuals margined in its own dollar, DUSD, although their names end in {@code -USD}.
 *
 * <p>{@code funding_rate} is the running estimate for the hour that ends next, a fraction per hour: an eighth of the 8-hour value.
 * Every market settles each full hour. Neither the interval, the next settlement nor an index price is published in bulk.
 *
 * <pre>{@code {"symbol":"BTC-USD","base":"BTC","quote":"DUSD","funding_rate":"0.00000838","mark_price":"76938.01",
 * "time":"2026-09-13T22:12:33.169168Z"}}</pre>
 */
final class Standx implements Venue {
    private static final String API = "https://perps.standx.com/api/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("standx")
                .docs("https://docs.standx.com/standx-api/perps-http", "2026-11-25")
                .rate(RateKind.ESTIMATE)
                .limit("perps.standx.com", 50, 1)
                .request(get("query_market_overview", API + "query_market_overview"))
                .request(get("query_symbol_info", API + "query_symbol_info").hourly())
                // Both times are required; 960 rows of one response have been seen, no maximum is documented.
                .history(History.get(
                        "query_funding_rates_{}",
                        API + "query_funding_rates?symbol={key}&start_time={from_ms}&end_time={to_ms}",
                        Paging.NEWER,
                        960))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> infos = responses.rowsBy("symbol", "query_symbol_info");

        rows.each(responses.rows("query_market_overview", "symbols"), "symbol", row -> {
            JsonValue info = Skip.ifUnlisted(infos, row.text("symbol"));
            Skip.unless(info.has("status") || info.has("enabled"), Skip.UNKNOWN_STATE);
            Skip.unless(isTrading(info), Skip.NOT_TRADING);
            return QuoteBuilder.linear(row.text("base"), row.text("quote"))
                    .rate(row.fundingRate("funding_rate"))
                    .between(info.decimalOrNull("funding_rate_floor"), info.decimalOrNull("funding_rate_cap"))
                    .intervalHours(1, DOCUMENTED)
                    .mark(row.price("mark_price"))
                    .venueTime(row.iso("time"));
        });
    }

    /** No other status than {@code trading} is known. */
    private static boolean isTrading(JsonValue info) {
        return info.is("status", "trading");
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.ifCoded(body, "code", "message", "429");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.elements(),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.iso("time"), row.fundingRate("funding_rate")));
    }
}
