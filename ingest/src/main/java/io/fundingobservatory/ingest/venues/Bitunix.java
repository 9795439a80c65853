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
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bitunix.
 *
 * <p>The bulk rate is in percent, which no page documents; other venues' rates and its own settlements show
 * it. The history's rate is a fraction. Delisted contracts stay in the response with a rate of 0; only the
 * list of pairs shows their state. The list's {@code base} hides the multiplier of 1000PEPEUSDT, so the base
 * is taken from the symbol.
 *
 * <pre>{@code
 * funding_rate_batch: {"symbol": "BTCUSDT", "markPrice": "64010.5", "indexPrice": "64020.11",
 *   "fundingRate": "0.01", "fundingInterval": 8, "nextFundingTime": "1790006400000"}
 * }</pre>
 */
final class Bitunix implements Venue {
    private static final String API = "https://fapi.bitunix.com/api/v1/futures/market/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("bitunix")
                .docs("https://www.bitunix.com/api-docs/futures/market/get_funding_rate_batch.html", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("fapi.bitunix.com", 10, 1)
                .request(get("funding_rate_batch", API + "funding_rate/batch"))
                .request(get("trading_pairs", API + "trading_pairs").hourly())
                .history(History.get(
                        "get_funding_rate_history_{}",
                        // starTime is the exchange's own spelling
                        API + "get_funding_rate_history?symbol={key}&starTime={from_ms}&endTime={to_ms}&limit=200",
                        Paging.OLDER,
                        200))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> pairs = responses.rowsBy("symbol", "trading_pairs", "data");
        rows.each(responses.rows("funding_rate_batch", "data"), "symbol", row -> {
            JsonValue pair = Skip.ifUnlisted(pairs, row.text("symbol"));
            Skip.unless(pair.is("symbolStatus", "OPEN"), Skip.NOT_TRADING);
            Symbols.BaseQuote name = Symbols.cutQuote(row.text("symbol"), pair.text("quote"));
            return QuoteBuilder.of(type(name.quote()), name.base(), name.quote())
                    .rate(row.fundingRate("fundingRate"), RateUnit.PERCENT)
                    .between(row.decimalOrNull("minFundingRate"), row.decimalOrNull("maxFundingRate"))
                    .intervalHours(row.positiveOrNull("fundingInterval"), ROW)
                    .next(row.millis("nextFundingTime"))
                    .mark(row.price("markPrice"))
                    .index(row.price("indexPrice"));
        });
    }

    private static ContractType type(String quote) {
        return quote.equals("USD") ? ContractType.INVERSE : ContractType.LINEAR;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "msg", "10005", "10006");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("data"), row -> Settled.fraction(row.millis("fundingTime"), row.decimal("fundingRate")));
    }
}
