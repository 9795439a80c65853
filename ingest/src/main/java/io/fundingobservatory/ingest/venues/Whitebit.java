package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;
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
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * WhiteBIT: one response with every perpetual.
 *
 * <p>{@code funding_rate} is the prediction for the settlement to come, over {@code funding_interval_minutes}. Where
 * no row has it, 8 hours is documented. An index of {@code "0"} and a mark of {@code ""} mean that there is none. {@code
 * markets} holds only what trades; a market with a {@code delistedAt} to come still does.
 *
 * <p>Values step every 5 s and may step back, as there are several caches: a row that names a passed settlement is left out.
 *
 * <pre>{@code
 * futures: {"ticker_id": "BTC_PERP", "stock_currency": "BTC", "money_currency": "USDT",
 *   "product_type": "Perpetual", "index_price": "64020.11", "mark_price": "64010.5",
 *   "funding_rate": "0.000044889033693137", "next_funding_rate_timestamp": "1790006400000",
 *   "funding_interval_minutes": 480}
 * }</pre>
 */
final class Whitebit implements Venue {
    private static final String V4 = "https://whitebit.com/api/v4/public/";
    private static final BigDecimal DOCUMENTED_MINUTES = BigDecimal.valueOf(480);

    private static final BigDecimal SECONDS_OF_AN_HOUR = BigDecimal.valueOf(3_600);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("whitebit")
                .docs("https://docs.whitebit.com/public/http-v4/", "2026-09-22")
                .rate(RateKind.ESTIMATE)
                .limit("whitebit.com", 2000, 10)
                .request(get("futures", V4 + "futures"))
                .request(get("markets", V4 + "markets").hourly())
                .history(History.get(
                        "funding-history_{}",
                        V4 + "funding-history/{key}?startDate={from_s}&endDate={to_s}&limit=100",
                        Paging.OLDER,
                        100)) // 1000 by the documentation; clients keep to 100, which cannot be cut
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> markets = responses.rowsBy("name", "markets");
        for (JsonValue body : responses.bodies("futures")) {
            List<JsonValue> futures = body.list("result");
            boolean documented = futures.stream().noneMatch(row -> row.has("funding_interval_minutes"));
            rows.each(futures, "ticker_id", row -> {
                if (!row.is("product_type", "Perpetual")) {
                    throw Skip.because(Skip.NOT_PERPETUAL);
                }
                if (!markets.isEmpty()
                        && Skip.ifUnlisted(markets, row.text("ticker_id")).is("tradesEnabled", "false")) {
                    throw Skip.because(Skip.NOT_TRADING);
                }
                Long next = row.millis("next_funding_rate_timestamp");
                Skip.ifSettlementPassed(next, rows.readAtMs(), Duration.ZERO);
                return QuoteBuilder.linear(row.text("stock_currency"), row.text("money_currency"))
                        .rate(row.fundingRate("funding_rate"))
                        .between(row.decimalOrNull("funding_floor"), row.decimalOrNull("funding_cap"))
                        .intervalMinutes(
                                documented ? DOCUMENTED_MINUTES : row.positiveOrNull("funding_interval_minutes"),
                                documented ? DOCUMENTED : ROW)
                        .next(next)
                        .mark(row.price("mark_price"))
                        .index(row.price("index_price"));
            });
        }
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (body.isArray() || (body.at("result").isArray() && !body.is("success", "false"))) {
            return null;
        }
        String message = body.textOrNull("message");
        return new VenueError(message == null ? "no success, no message" : message, false);
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(body.elements(), row -> row.text("market"), row -> {
            BigDecimal settled = row.decimal("fundingTime");
            BigDecimal calculated = row.positiveOrNull("rateCalculatedTime");
            return Settled.fraction(row.seconds("fundingTime"), row.decimal("fundingRate"))
                    .interval(hours(settled, calculated));
        });
    }

    /** A rate is calculated one interval before it is paid. */
    private static @Nullable BigDecimal hours(BigDecimal settled, @Nullable BigDecimal calculated) {
        return calculated == null || calculated.compareTo(settled) >= 0
                ? null
                : settled.subtract(calculated).divide(SECONDS_OF_AN_HOUR, MathContext.DECIMAL64);
    }
}
