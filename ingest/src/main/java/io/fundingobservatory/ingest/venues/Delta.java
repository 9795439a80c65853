package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.INSTRUMENT_LIST;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Instants;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Delta Exchange, the global site.
 *
 * <p>{@code funding_rate} is in percent per interval. The interval is, in seconds, in the products' specifications. The next
 * settlement is not published: it is the next multiple of the interval in UTC. {@code contract_value} is a contract size, not
 * part of the price.
 *
 * <p>No settled history is declared: it is published as candles, and whether the candle before or at the hour holds what was
 * charged is unconfirmed.
 *
 * <pre>{@code
 * tickers: {"symbol": "BTCUSDT", "contract_type": "perpetual_futures", "funding_rate": "0.00871200",
 *   "mark_price": "64010.50", "spot_price": "64020.11", "timestamp": 1789999997460456}
 * }</pre>
 */
final class Delta implements Venue {
    private static final String V2 = "https://api.delta.exchange/v2/";

    private static final BigDecimal MINUTE_S = BigDecimal.valueOf(60);
    private static final BigDecimal WEEK_S = BigDecimal.valueOf(604_800);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("delta")
                .docs("https://docs.delta.exchange/", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("api.delta.exchange", 10_000, 300)
                .waitHeader("x-rate-limit-reset", ChronoUnit.MILLIS)
                .request(get("tickers", V2 + "tickers?contract_types=perpetual_futures")
                        .weight(3)
                        .rates())
                // each minute, six rows: an interval that was read earlier would make the rate and its settlement wrong
                .request(get("products", V2 + "products?contract_types=perpetual_futures")
                        .weight(3))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> products = responses.rowsBy("symbol", "products", "result");
        rows.each(responses.rows("tickers", "result"), "symbol", row -> {
            JsonValue product = Skip.ifUnlisted(products, row.text("symbol"));
            if (!product.is("contract_type", "perpetual_futures")) {
                throw Skip.because(Skip.NOT_PERPETUAL);
            }
            boolean disrupted = product.has("trading_status") && !product.is("trading_status", "operational");
            if (disrupted || !product.is("state", "live")) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            BigDecimal seconds = product.at("product_specs").positiveOrNull("rate_exchange_interval");
            Long time = row.micros("timestamp");
            return QuoteBuilder.of(
                            type(product),
                            product.at("underlying_asset").text("symbol"),
                            product.at("quoting_asset").text("symbol"))
                    .rate(row.fundingRate("funding_rate"), RateUnit.PERCENT)
                    .intervalSeconds(seconds, INSTRUMENT_LIST)
                    .next(next(time, seconds))
                    .mark(row.price("mark_price"))
                    .index(row.price("spot_price"))
                    .venueTime(time);
        });
    }

    private static ContractType type(JsonValue product) {
        if (product.is("notional_type", "inverse")) {
            return ContractType.INVERSE;
        }
        String quoting = product.at("quoting_asset").text("symbol");
        String settling = product.at("settling_asset").textOrNull("symbol");
        return product.flag("is_quanto") || (settling != null && !settling.equals(quoting))
                ? ContractType.QUANTO
                : ContractType.LINEAR;
    }

    /** Settlements are at multiples of the interval; one outside of a minute to a week, which no record takes either, has none. */
    private static @Nullable Long next(@Nullable Long time, @Nullable BigDecimal seconds) {
        if (time == null || seconds == null || seconds.compareTo(MINUTE_S) < 0 || seconds.compareTo(WEEK_S) > 0) {
            return null;
        }
        return Instants.nextMultiple(time, seconds.longValue() * 1_000);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (!body.is("success", "false")) {
            return null;
        }
        String code = body.at("error").textOrNull("code");
        return new VenueError(code == null ? "success is false" : code, false);
    }
}
