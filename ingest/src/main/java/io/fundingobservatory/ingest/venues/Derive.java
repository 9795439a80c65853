package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.post;
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
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Derive. Funding accrues continuously; {@code f} is the rate of this instant for one hour, and nothing is ever settled at a time.
 *
 * <p>Tickers are an object by instrument name with fields of one letter. Options are in it too when requested; only {@code -PERP}
 * are perpetuals.
 *
 * <pre>{@code
 * get_tickers: {"I": "64020.1", "M": "64009.125", "f": "-0.000016101766457197", "t": 1789999998714}
 * }</pre>
 */
final class Derive implements Venue {
    private static final String API = "https://api.derive.xyz/v3/public/";
    private static final String PERPETUAL = "-PERP";
    private static final Duration HOUR = Duration.ofHours(1);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("derive")
                .docs("https://docs.derive.xyz", "2026-09-13")
                .rate(RateKind.CONTINUOUS)
                // "A few requests a second" without login, in no value: five are assumed, of which one is used.
                .limit("api.derive.xyz", 5, 1)
                .request(post("get_tickers", API + "get_tickers", "{\"instrument_type\":\"perp\"}"))
                .request(post(
                                "get_all_instruments",
                                API + "get_all_instruments",
                                "{\"expired\":false,\"instrument_type\":\"perp\",\"page\":1,\"page_size\":1000}")
                        .hourly())
                .history(History.post(
                                "get_funding_rate_history_{}",
                                API + "get_funding_rate_history",
                                "{\"instrument_name\":\"{key}\",\"start_timestamp\":{from_ms},\"end_timestamp\":{to_ms}}",
                                Paging.OLDER,
                                720)
                        // "period" is a number of seconds, an hour by default; 30 days at most are documented
                        .longest(Duration.ofDays(29))
                        .stampedAtStart(HOUR))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> instruments =
                responses.rowsBy("instrument_name", "get_all_instruments", "result", "instruments");

        for (JsonValue body : responses.bodies("get_tickers")) {
            rows.each(body.at("result").at("tickers").members(), (symbol, ticker) -> {
                String base = Symbols.before(PERPETUAL, symbol);
                // The list is a page of all: it may mark a perpetual as dead, and a missing one may exist.
                JsonValue instrument = instruments.get(symbol);
                Skip.unless(instrument == null || instrument.flag("is_active"), Skip.NOT_TRADING);
                String quote = instrument == null ? null : instrument.textOrNull("quote_currency");
                return QuoteBuilder.linear(base, quote == null ? "USD" : quote)
                        .rate(ticker.fundingRate("f"))
                        .coversHours(1)
                        .intervalHours(1, DOCUMENTED)
                        .mark(ticker.price("M"))
                        .index(ticker.price("I"))
                        .venueTime(ticker.millis("t"));
            });
        }
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        JsonValue error = body.at("error");
        return error.exists()
                ? new VenueError(
                        error.textOrNull("code") + " " + error.textOrNull("message"), error.is("code", "-32000"))
                : null;
    }

    /**
     * Reads the candles of the hourly rate, of an hour each. {@code timestamp} is the candle's start, by the API's
     * own schema, and the last candle is of the hour that still runs. {@code funding_rate} is the rate at the
     * candle's close. It stands for what accrued in that hour, which the API does not publish.
     */
    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(body.at("result").list("funding_rate_history"), row -> {
            Long begins = row.millis("timestamp");
            return Settled.fraction(begins == null ? null : begins + HOUR.toMillis(), row.fundingRate("funding_rate"))
                    .interval(BigDecimal.ONE);
        });
    }
}
