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
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * BloFin.
 *
 * <p>{@code fundingTime} is the settlement to come. {@code expireTime} has a value on
 * perpetuals too and is ignored.
 *
 * <pre>{@code
 * funding-rate: {"instId": "BTC-USDT", "fundingRate": "0.00018548000000000002",
 *   "fundingTime": "1790006400000", "fundingInterval": "8", "fundingIntervalUnit": "hour"}
 * }</pre>
 */
final class Blofin implements Venue {
    private static final String API = "https://openapi.blofin.com/api/v1/market/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("blofin")
                .docs("https://docs.blofin.com/index.html#get-funding-rate", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("openapi.blofin.com", 500, 60)
                .limit("openapi.blofin.com", 1500, 300)
                .request(get("funding-rate", API + "funding-rate").rates())
                .request(get("mark-price", API + "mark-price"))
                .request(get("instruments", API + "instruments").hourly())
                .history(History.get(
                        "funding-rate-history",
                        API + "funding-rate-history?instId={key}&after={to_ms}&limit=100",
                        Paging.OLDER,
                        100))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> instruments = responses.rowsBy("instId", "instruments", "data");
        Map<String, JsonValue> prices = responses.rowsBy("instId", "mark-price", "data");
        rows.each(responses.rows("funding-rate", "data"), "instId", row -> {
            JsonValue instrument = Skip.ifUnlisted(instruments, row.text("instId"));
            requireLiveSwap(instrument);
            JsonValue price = prices.getOrDefault(row.text("instId"), row.at("none"));
            return QuoteBuilder.of(type(instrument), instrument.text("baseCurrency"), instrument.text("quoteCurrency"))
                    .assetClass(instrument.is("assetClass", "Crypto") ? AssetClass.CRYPTO : null)
                    .rate(row.fundingRate("fundingRate"))
                    .between(row.decimalOrNull("fundingRateFloor"), row.decimalOrNull("fundingRateCap"))
                    .intervalHours(hours(row), ROW)
                    .next(row.millis("fundingTime"))
                    .mark(price.price("markPrice"))
                    .index(price.price("indexPrice"));
        });
    }

    private static void requireLiveSwap(JsonValue instrument) {
        Skip.unless(!instrument.has("instType") || instrument.is("instType", "SWAP"), Skip.NOT_PERPETUAL);
        Skip.unless(instrument.is("state", "live"), Skip.NOT_TRADING);
    }

    private static ContractType type(JsonValue instrument) {
        return switch (instrument.text("contractType")) {
            case "linear" -> ContractType.LINEAR;
            case "inverse" -> ContractType.INVERSE;
            default -> throw Skip.because(Skip.UNKNOWN_STATE);
        };
    }

    /** Only hours have been seen; a value in another unit is not taken. */
    private static @Nullable BigDecimal hours(JsonValue row) {
        return row.is("fundingIntervalUnit", "hour") ? row.positiveOrNull("fundingInterval") : null;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "msg", "429");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("data"),
                row -> row.text("instId"),
                row -> Settled.fraction(row.millis("fundingTime"), row.decimal("fundingRate")));
    }
}
