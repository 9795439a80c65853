package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.post;
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
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * GRVT. There is no ticker for all: each instrument needs a request.
 *
 * <p>{@code funding_rate} is percent for the instrument's own interval, also under its other name {@code funding_rate_8h_curr}.
 * Times are epoch nanoseconds.
 *
 * <pre>{@code
 * ticker_BTC_USDT_Perp: {"instrument": "BTC_USDT_Perp", "mark_price": "64009.125000001",
 *   "index_price": "64020.1", "funding_rate": "0.0062", "next_funding_time": "1790006400000000000"}
 * }</pre>
 */
final class Grvt implements Venue {
    private static final String API = "https://market-data.grvt.io/full/v1/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("grvt")
                .docs("https://api-docs.grvt.io/market_data_api", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                // Its responses have 1500; the window is not documented and taken as a minute.
                .limit("market-data.grvt.io", 1500, 60)
                .request(post("all_instruments", API + "all_instruments", "{\"is_active\":true}")
                        .hourly())
                .request(post("ticker_{}", API + "ticker", "{\"instrument\":\"{}\"}")
                        .each(Grvt::perpetuals))
                .history(History.post(
                        "funding_{}",
                        API + "funding",
                        "{\"instrument\":\"{key}\",\"start_time\":\"{from_ns}\",\"end_time\":\"{to_ns}\",\"limit\":1000,\"cursor\":\"\"}",
                        Paging.OLDER,
                        1000))
                .build();
    }

    private static List<String> perpetuals(VenueResponses responses) {
        return responses.rows("all_instruments", "result").stream()
                .filter(instrument -> instrument.is("kind", "PERPETUAL") && isActive(instrument))
                .map(instrument -> instrument.textOrNull("instrument"))
                .filter(Objects::nonNull)
                .toList();
    }

    /** The request selects active instruments, and the list is at most an hour old; {@code status} (since 2026-09) may be absent. */
    private static boolean isActive(JsonValue instrument) {
        return !instrument.has("status") || instrument.is("status", "ACTIVE");
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> instruments = responses.rowsBy("instrument", "all_instruments", "result");

        for (Response response : responses.all("ticker_{}")) {
            rows.each(List.of(response.body().at("result")), "instrument", ticker -> {
                JsonValue instrument = Skip.ifUnlisted(instruments, ticker.text("instrument"));
                Skip.unless(instrument.is("kind", "PERPETUAL"), Skip.NOT_PERPETUAL);
                Skip.unless(isActive(instrument), Skip.NOT_TRADING);
                return QuoteBuilder.linear(instrument.text("base"), instrument.text("quote"))
                        .rate(
                                ticker.has("funding_rate")
                                        ? ticker.fundingRate("funding_rate")
                                        : ticker.fundingRate("funding_rate_8h_curr"),
                                RateUnit.PERCENT)
                        .between(
                                instrument.decimalOrNull("adjusted_funding_rate_floor"),
                                instrument.decimalOrNull("adjusted_funding_rate_cap"))
                        .intervalHours(instrument.positiveOrNull("funding_interval_hours"), INSTRUMENT_LIST)
                        .next(ticker.nanos("next_funding_time"))
                        .mark(ticker.price("mark_price"))
                        .index(ticker.price("index_price"))
                        .venueTime(ticker.nanos("event_time"))
                        .observedAt(response.readAtMs());
            });
        }
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.has("code") && !body.has("result")
                ? new VenueError(body.textOrNull("code") + " " + body.textOrNull("message"), body.is("status", "429"))
                : null;
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("result"),
                row -> row.text("instrument"),
                row -> Settled.of(row.nanos("funding_time"), row.fundingRate("funding_rate"), RateUnit.PERCENT)
                        .interval(row.positiveOrNull("funding_interval_hours")));
    }
}
