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
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ondo Perps: shares, funds, indices, commodities, currencies and coins. Funding is paid every hour.
 *
 * <p>{@code nextFundingRate} is the estimate of the hour that ends at {@code nextFundingRateTimestamp}; {@code fundingRate} was paid
 * at the last full hour. {@code indexPrice} of the contracts is up to 1 % off or old, so the index is {@code oraclePrice} of {@code
 * mark_prices}. Disabled contracts keep their rates. {@code isClosed} is the session of the underlying: the contract trades on.
 * Books are in USD; margin and funding are paid in USDC. Of shares, {@code ETF} is a class of its own.
 *
 * <p>No field tells when a rate was made: {@code lastUpdatedTime} is that of the prices.
 *
 * <pre>{@code
 * contracts: {"market": "BTC-USD.P", "productType": "perpetual", "contractType": "linear",
 *   "baseCurrency": "BTC", "quoteCurrency": "USD", "disabled": false,
 *   "fundingRate": "-0.0000211", "nextFundingRate": "-0.0000274",
 *   "nextFundingRateTimestamp": "2026-09-21T15:00:00Z"}
 * }</pre>
 */
final class Ondo implements Venue {
    private static final String API = "https://api.ondoperps.xyz/v1/perps/";

    /** A fund, ETF, is none of these. */
    private static final Map<String, AssetClass> CLASSES = Map.of(
            "Crypto",
            AssetClass.CRYPTO,
            "Stock",
            AssetClass.EQUITY,
            "Commodity",
            AssetClass.COMMODITY,
            "Index",
            AssetClass.INDEX,
            "FX",
            AssetClass.FX);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("ondo")
                .docs("https://docs.ondoperps.xyz", "2026-10-09")
                .rate(RateKind.ESTIMATE)
                // none is published for clients without a key; a key has one a second
                .limit("api.ondoperps.xyz", 1, 1)
                .request(get("contracts", API + "contracts").rates())
                .request(get("mark_prices", API + "mark_prices"))
                .history(History.get(
                        "funding_rate_history_{}",
                        API + "funding_rate_history?market={key}&startTime={from_ms}&endTime={to_ms}&limit=1000",
                        Paging.OLDER, // a cursor pages too, but 31 days fit into one page
                        1000))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        var prices = new LinkedHashMap<String, JsonValue>();
        responses
                .body("mark_prices")
                .ifPresent(body -> prices.putAll(body.at("result").members()));
        rows.each(responses.rows("contracts", "result"), "market", row -> {
            Skip.unless(row.is("productType", "perpetual"), Skip.NOT_PERPETUAL);
            Skip.unless(row.is("disabled", "false"), Skip.NOT_TRADING);
            Skip.unless(row.is("contractType", "linear"), Skip.UNKNOWN_STATE);
            JsonValue price = Skip.ifUnlisted(prices, row.text("market"));
            BigDecimal mark = price.decimalOrNull("markPrice");
            Skip.unless(mark == null || mark.signum() != 0, Skip.NOT_TRADING);
            Long next = row.iso("nextFundingRateTimestamp");
            Skip.ifSettlementPassed(next, rows.readAtMs(), Duration.ZERO);
            return QuoteBuilder.linear(row.text("baseCurrency"), "USDC")
                    .assetClass(row.list("tags"), CLASSES)
                    .rate(row.fundingRate("nextFundingRate"))
                    .intervalHours(1, DOCUMENTED)
                    .next(next)
                    .mark(price.price("markPrice"))
                    .index(price.price("oraclePrice"));
        });
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (!body.is("success", "false") && body.has("result")) {
            return null;
        }
        String code = body.textOrNull("error_code");
        return new VenueError(code == null ? "no result" : code, "too_many_requests".equals(code));
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("result"),
                row -> row.text("market"),
                row -> Settled.fraction(row.iso("time"), row.fundingRate("fundingRate"))
                        .interval(BigDecimal.ONE));
    }
}
