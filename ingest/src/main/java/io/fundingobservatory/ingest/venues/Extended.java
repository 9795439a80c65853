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
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.RateKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Extended, on Starknet. Refuses requests without a {@code User-Agent}.
 *
 * <p>One list holds everything. {@code nextFundingRate} is, in spite of its name, the time of the next settlement. {@code status}
 * marks what trades; {@code active} does not. Shares that trade 24 hours on 5 days are named {@code MU_24_5}.
 *
 * <pre>{@code
 * info-markets: {"name": "BTC-USD", "subCategory": "L1", "type": "PERPETUAL", "category": "Crypto",
 *   "assetName": "BTC", "collateralAssetName": "USD", "status": "ACTIVE",
 *   "marketStats": {"markPrice": "64009.125", "indexPrice": "64020.1", "fundingRate": "0.000011",
 *   "nextFundingRate": 1790002800000}}
 * }</pre>
 */
final class Extended implements Venue {
    private static final String API = "https://api.starknet.extended.exchange/api/v1/info/";
    private static final long DAY_MS = 86_400_000;

    /** Categories, and subcategories of RWA; ETF/Index is two classes. */
    private static final Map<String, AssetClass> CLASSES = Map.of(
            "Crypto",
            AssetClass.CRYPTO,
            "Equity",
            AssetClass.EQUITY,
            "Commodity",
            AssetClass.COMMODITY,
            "FX",
            AssetClass.FX);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("extended")
                .docs("https://api.docs.extended.exchange", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                .limit("api.starknet.extended.exchange", 1000, 60)
                .request(get("info-markets", API + "markets"))
                .history(History.get(
                        "funding_{}", API + "{key}/funding?startTime={from_ms}&endTime={to_ms}", Paging.OLDER, 1000))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        responses.all("info-markets").forEach(response -> read(response, rows));
    }

    private static void read(Response response, Rows rows) {
        rows.each(response.body().list("data"), "name", row -> {
            // Bodies before summer 2026 have no type: they knew nothing but perpetuals.
            Skip.unless(!row.has("type") || row.is("type", "PERPETUAL"), Skip.NOT_PERPETUAL);
            Skip.unless(row.is("status", "ACTIVE"), Skip.NOT_TRADING);
            JsonValue live = row.at("marketStats");
            return QuoteBuilder.linear(row.text("assetName"), row.text("collateralAssetName"))
                    .assetClass(row.textOrNull(row.is("category", "RWA") ? "subCategory" : "category"), CLASSES)
                    .rate(live.fundingRate("fundingRate"))
                    .intervalHours(1, DOCUMENTED)
                    .next(next(live.millis("nextFundingRate"), response.readAtMs()))
                    .mark(live.price("markPrice"))
                    .index(live.price("indexPrice"));
        });
    }

    /** A row can lag behind and still name an hour that has passed; one of another day is a recording that is played back. */
    private static @Nullable Long next(@Nullable Long published, long readAtMs) {
        boolean lags = published != null && published <= readAtMs && readAtMs - published < DAY_MS;
        return lags ? Long.valueOf(Instants.nextHour(readAtMs)) : published;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (!body.has("status") || body.is("status", "OK")) {
            return null;
        }
        JsonValue error = body.at("error");
        return new VenueError(error.textOrNull("code") + " " + error.textOrNull("message"), error.is("code", "429"));
    }

    /** A row is stamped when it is booked, 1 to 2 seconds after its hour and now and then minutes after it. */
    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(body.list("data"), row -> row.text("m"), row -> {
            Long booked = row.millis("T");
            return Settled.fraction(booked == null ? null : Instants.hourBelow(booked), row.fundingRate("f"));
        });
    }
}
