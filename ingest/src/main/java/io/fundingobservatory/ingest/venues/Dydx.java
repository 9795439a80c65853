package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

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
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import org.jspecify.annotations.Nullable;

/**
 * dYdX v4, through its public indexer: one object with all markets under their tickers.
 *
 * <p>{@code nextFundingRate} is a fraction for one hour: the chain's 8-hour rate, already divided. Every
 * market settles hourly; the wire has neither interval nor next time. For at most a minute after the hour it
 * is still the rate just charged, and is shown as the last settled rate. The oracle price is the only price:
 * margin and funding use it as mark and as index.
 *
 * <pre>{@code
 * perpetualMarkets: {"ticker": "BTC-USD", "status": "ACTIVE", "oraclePrice": "64015.12345",
 *   "nextFundingRate": "0.00000254545454545455"}
 * }</pre>
 */
final class Dydx implements Venue {
    /** The premium is sampled once a minute. */
    private static final long FIRST_SAMPLE_MS = 60_000;

    private static final String V4 = "https://indexer.dydx.trade/v4/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("dydx")
                .docs("https://docs.dydx.xyz/indexer-client/http#list-perpetual-markets", "2026-09-11")
                .rate(RateKind.ESTIMATE)
                .limit("indexer.dydx.trade", 100, 10)
                .request(get("perpetualMarkets", V4 + "perpetualMarkets"))
                // The hosted service's largest page is not confirmed; another client's 100 is certain.
                .history(History.get(
                        "historicalFunding",
                        V4 + "historicalFunding/{key}?limit=100&effectiveBeforeOrAt={to_iso}",
                        Paging.OLDER,
                        100))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        for (Response response : responses.all("perpetualMarkets")) {
            boolean settled = response.readAtMs() - Instants.hourBelow(response.readAtMs()) < FIRST_SAMPLE_MS;
            rows.each(response.body().at("markets").members(), (ticker, row) -> {
                if (!row.is("status", "ACTIVE")) {
                    throw Skip.because(Skip.NOT_TRADING);
                }
                return QuoteBuilder.linear(base(ticker), "USD")
                        .rate(row.fundingRate("nextFundingRate"))
                        .kind(settled ? RateKind.LAST_SETTLED : RateKind.ESTIMATE)
                        .intervalHours(1, DOCUMENTED)
                        .mark(row.price("oraclePrice"))
                        .index(row.price("oraclePrice"));
            });
        }
    }

    /** Some markets carry where they are priced in their name: {@code NAME,VENUE,ADDRESS-USD}. */
    private static String base(String ticker) {
        String name = Symbols.cutQuote(ticker, "-USD").base();
        int comma = name.indexOf(',');
        return comma < 0 ? name : name.substring(0, comma);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (!body.has("errors")) {
            return null;
        }
        String message = body.at("errors").at(0).textOrNull("msg");
        return new VenueError(message == null ? "errors" : message, "Too many requests".equals(message));
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("historicalFunding"),
                row -> row.text("ticker"),
                row -> Settled.fraction(row.iso("effectiveAt"), row.fundingRate("rate")));
    }
}
