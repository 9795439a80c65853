package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Symbols;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import org.jspecify.annotations.Nullable;

/**
 * LBank: one response has everything, for perpetuals in USDT only. No settled rates are published.
 *
 * <p>{@code positionFeeTime} is the interval in seconds; a row without it is of an older wire format and lacks too much. The base
 * coin is read from the symbol: the instrument list's {@code baseCurrency} renames some coins.
 *
 * <pre>{@code
 * marketData_SwapU: {"symbol": "BTCUSDT", "underlyingPrice": "64020.11", "markedPrice": "64010.5",
 *   "fundingRate": "0.0001", "positionFeeTime": 28800, "nextFeeTime": 1790006400000,
 *   "instrumentStatus": "2"}
 * }</pre>
 */
final class Lbank implements Venue {
    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("lbank")
                .docs("https://www.lbank.com/docs/contract.html", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("lbkperp.lbank.com", 20, 1) // not published; what clients assume
                // any other group, or none, gets an empty list
                .request(get(
                        "marketData_SwapU",
                        "https://lbkperp.lbank.com/cfd/openApi/v1/pub/marketData?productGroup=SwapU"))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        rows.each(responses.rows("marketData_SwapU", "data"), "symbol", row -> {
            // 2 is trading; the others, half of all rows, are not
            Skip.unless(!row.has("instrumentStatus") || row.is("instrumentStatus", "2"), Skip.NOT_TRADING);
            Symbols.BaseQuote pair = Symbols.cutQuote(row.text("symbol"), "USDT");
            return QuoteBuilder.linear(pair.base(), pair.quote())
                    .rate(row.fundingRate("fundingRate"))
                    .intervalSeconds(row.decimal("positionFeeTime"), ROW)
                    .next(row.millis("nextFeeTime"))
                    .mark(row.price("markedPrice"))
                    .index(row.price("underlyingPrice"));
        });
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (body.is("success", "false")) {
            return new VenueError(
                    body.textOrNull("error_code") + " " + body.textOrNull("msg"), body.is("error_code", "183"));
        }
        return body.at("data").isArray() && body.list("data").isEmpty() ? new VenueError("empty list", false) : null;
    }
}
