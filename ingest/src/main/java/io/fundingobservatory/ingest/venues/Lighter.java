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
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.ListedVenue.Instance;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lighter and its instance for Robinhood: one wire format; host, quote currency and numbers of markets differ.
 *
 * <p>{@code rate} is a fraction over eight hours although Lighter settles every hour. The list also carries other exchanges' rates,
 * for comparison; each instance names its own rows {@code lighter}. Settled rates are percent per hour without a sign: {@code direction} has who paid.
 *
 * <pre>{@code
 * funding-rates: {"market_id": 1, "exchange": "lighter", "symbol": "BTC",
 *   "rate": 0.00008799999999999999}
 * }</pre>
 */
final class Lighter implements Venue {
    private final String id;
    private final Instance instance;

    Lighter(ListedVenue listed) {
        this.id = listed.id();
        this.instance = Objects.requireNonNull(listed.instance());
    }

    @Override
    public VenueSpec spec() {
        String api = "https://" + instance.host() + "/api/v1/";
        return VenueSpec.venue(id)
                .docs(instance.docs(), "2026-09-17")
                .rate(RateKind.ESTIMATE)
                .limit(instance.host(), 60, 60)
                .limit(instance.host(), 1, 1) // the instance for Robinhood refused a few consecutive requests
                .throttlesBy(405) // the firewall's status; further requests prolong its 60 seconds
                .request(get("funding-rates", api + "funding-rates").rates())
                .request(get("orderBookDetails", api + "orderBookDetails"))
                .history(History.get(
                                "fundings_{}",
                                api
                                        + "fundings?market_id={key}&resolution=1h&start_timestamp={from_s}&end_timestamp={to_s}&count_back=0",
                                Paging.NEWER,
                                750)
                        .keys(Lighter::symbolsByMarket))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> markets = responses.rowsBy("market_id", "orderBookDetails", "order_book_details");
        long now = responses.all("orderBookDetails").stream()
                .mapToLong(Response::readAtMs)
                .findFirst()
                .orElse(Long.MAX_VALUE);

        rows.each(own(responses), "symbol", row -> {
            JsonValue market = Skip.ifUnlisted(markets, row.text("market_id"));
            Skip.unless(market.is("market_type", "perp"), Skip.NOT_PERPETUAL);
            Skip.unless(market.is("status", "active"), Skip.NOT_TRADING);
            JsonValue config = market.at("market_config");
            Skip.unless(!config.flag("force_reduce_only") && !config.flag("hidden"), Skip.NOT_TRADING);
            Long created = market.millis("created_at");
            Skip.unless(created == null || created <= now, Skip.NOT_TRADING);
            return QuoteBuilder.linear(row.text("symbol"), instance.quote())
                    .rate(row.fundingRate("rate"))
                    .coversHours(8)
                    .intervalHours(1, DOCUMENTED)
                    .mark(market.price("mark_price"))
                    .index(market.price("index_price"));
        });
    }

    private static List<JsonValue> own(VenueResponses responses) {
        return responses.rows("funding-rates", "funding_rates").stream()
                .filter(row -> row.is("exchange", "lighter"))
                .toList();
    }

    private static Map<String, String> symbolsByMarket(VenueResponses responses) {
        var symbols = new LinkedHashMap<String, String>();
        JsonValue.by(own(responses), "market_id").forEach((id, row) -> {
            String symbol = row.isContradicted() ? null : row.textOrNull("symbol");
            if (symbol != null) {
                symbols.put(id, symbol);
            }
        });
        return symbols;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("200", body, "code", "message", "429", "23000");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("fundings"),
                row -> Settled.of(row.seconds("timestamp"), signed(row), RateUnit.PERCENT)
                        .interval(BigDecimal.ONE));
    }

    private static BigDecimal signed(JsonValue row) {
        BigDecimal rate = row.fundingRate("rate");
        return switch (row.text("direction")) {
            case "long" -> rate;
            case "short" -> rate.negate();
            default -> throw Skip.unreadable("direction");
        };
    }
}
