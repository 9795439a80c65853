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
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pacifica, on Solana. Settles every hour.
 *
 * <p>{@code next_funding} is the running estimate of the coming settlement, an average since the last one;
 * {@code funding} is what the last settlement charged. A history record has the charge of its own settlement
 * in {@code next_funding_rate}. Its {@code funding_rate} is the charge of the settlement before. Only {@code
 * info} distinguishes perpetuals from spot pairs.
 *
 * <pre>{@code
 * info_prices: {"mark": "64009.125", "next_funding": "-0.00000336", "oracle": "64020.1",
 *   "symbol": "BTC", "timestamp": 1789999998583}
 * }</pre>
 */
final class Pacifica implements Venue {
    private static final String API = "https://api.pacifica.fi/api/v1/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("pacifica")
                .docs("https://docs.pacifica.fi/api-documentation/api/rest-api", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                // tenths of credits, as its headers count: 1000 a minute, though 1250 are documented
                .limit("api.pacifica.fi", 1000, 60)
                .request(get("info_prices", API + "info/prices").weight(10))
                .request(get("info", API + "info").weight(10).hourly())
                // A request has no window: 800 hours cover the 31 days that matter.
                .history(History.get(
                                "funding_rate_history_{}",
                                API + "funding_rate/history?symbol={key}&limit={rows}",
                                Paging.NONE,
                                800)
                        .weight(90))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> instruments = responses.rowsBy("symbol", "info", "data");
        long listedAt = responses.all("info").stream()
                .mapToLong(Response::readAtMs)
                .findFirst()
                .orElse(Long.MAX_VALUE);

        rows.each(responses.rows("info_prices", "data"), "symbol", row -> {
            String symbol = row.text("symbol");
            JsonValue instrument = !instruments.isEmpty() ? Skip.ifUnlisted(instruments, symbol) : null;
            return builder(symbol, instrument, listedAt)
                    .rate(row.fundingRate("next_funding"))
                    .mark(row.price("mark"))
                    .index(row.price("oracle"))
                    .venueTime(row.millis("timestamp"));
        });
    }

    private static QuoteBuilder builder(String symbol, @Nullable JsonValue instrument, long listedAt) {
        String type = instrument == null ? null : instrument.textOrNull("instrument_type");
        // Without a type: the symbol of a perpetual is its coin alone, that of a spot pair is like SOL-USDC.
        Skip.unless(type == null ? !symbol.contains("-") : type.equals("perpetual"), Skip.NOT_PERPETUAL);
        Long opens = instrument == null ? null : instrument.millis("created_at");
        Skip.unless(opens == null || opens <= listedAt, Skip.NOT_TRADING); // announced
        String base = instrument == null ? null : instrument.textOrNull("base_asset");
        return QuoteBuilder.linear(base == null ? symbol : base, "USDC").intervalHours(1, DOCUMENTED);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.is("success", "false")
                ? new VenueError(body.textOrNull("code") + " " + body.textOrNull("error"), body.is("code", "429"))
                : null;
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("data"),
                row -> Settled.fraction(row.millis("created_at"), row.fundingRate("next_funding_rate")));
    }
}
