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
import io.fundingobservatory.ingest.spec.Symbols;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nado, an order book on Ink. Refuses requests without an {@code Accept-Encoding} or with a library's own {@code User-Agent}.
 *
 * <p>One object holds all contracts under their tickers. {@code funding_rate} is the running estimate of what 24 hours cost; a 24th of
 * it is charged each full hour. Settled rates are per hour, times 10^18, and are requested by product number. Only the symbol list
 * lists what trades.
 *
 * <pre>{@code "BTC-PERP_USDT0":{"product_id":2,"base_currency":"BTC-PERP","quote_currency":"USDT0","product_type":"perpetual",
 * "mark_price":76805.68,"index_price":76796.975,"funding_rate":0.00010991,"next_funding_rate_timestamp":1789340400}}</pre>
 */
final class Nado implements Venue {
    private static final String HOST = "api.prod.nado.xyz";
    private static final String API = "https://" + HOST + "/";

    /** The archive's contracts have no published weight: they count as the heaviest request that has one. */
    private static final int HEAVIEST = 12;

    private static final int E18 = 18;

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("nado")
                .docs("https://docs.nado.xyz/developer-resources/api/v2/contracts", "2026-11-25")
                .rate(RateKind.ESTIMATE)
                .limit(HOST, 2_400, 60)
                .limit(HOST, 400, 10)
                .request(get("contracts", API + "archive/v2/contracts?edge=false")
                        .weight(HEAVIEST))
                .request(get("symbols", API + "gateway/v1/query?type=symbols")
                        .hourly()
                        .weight(2))
                // 31 days of hours are 744 rows: one page. The weight is 2 and one more for each 100 of the limit.
                .history(History.post(
                                "funding_rate_history_{}",
                                API + "archive/v1",
                                "{\"funding_rate_history\":{\"product_id\":{key},\"start_time\":{from_s},\"end_time\":{to_s},\"limit\":1000}}",
                                Paging.NEWER,
                                1_000)
                        .weight(HEAVIEST)
                        .keys(Nado::products))
                .build();
    }

    private static Map<String, String> products(VenueResponses responses) {
        var products = new HashMap<String, String>();
        for (JsonValue contracts : responses.bodies("contracts")) {
            contracts
                    .members()
                    .forEach((ticker, row) -> JsonValue.by(List.of(row), "product_id")
                            .keySet()
                            .forEach(product -> products.put(product, ticker)));
        }
        return products;
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> symbols = responses
                .body("symbols")
                .map(body -> body.at("data").at("symbols").members())
                .orElse(Map.of());

        for (JsonValue contracts : responses.bodies("contracts")) {
            rows.each(contracts.members(), (ticker, row) -> {
                Skip.unless(row.is("product_type", "perpetual"), Skip.NOT_PERPETUAL);
                String name = row.text("base_currency");
                Skip.unless(Skip.ifUnlisted(symbols, name).is("trading_status", "live"), Skip.NOT_TRADING);
                return QuoteBuilder.linear(Symbols.before("-PERP", name), row.text("quote_currency"))
                        .rate(row.fundingRate("funding_rate"))
                        .coversHours(24)
                        .intervalHours(1, DOCUMENTED)
                        .next(row.seconds("next_funding_rate_timestamp"))
                        .mark(row.price("mark_price"))
                        .index(row.price("index_price"));
            });
        }
    }

    /** The gateway responds to an unknown request type with another one's body. */
    @Override
    public @Nullable VenueError error(JsonValue body) {
        String type = body.textOrNull("request_type");
        if (type != null && !type.equals("query_symbols")) {
            return new VenueError("request_type " + type, false);
        }
        if (body.is("status", "failure")) {
            return new VenueError(body.textOrNull("error_code") + " " + body.textOrNull("error"), false);
        }
        return body.flag("block") ? new VenueError(String.valueOf(body.textOrNull("reason")), false) : null;
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("funding_rates"),
                row -> Settled.fraction(
                        row.seconds("timestamp"),
                        row.fundingRate("funding_rate_x18").movePointLeft(E18)));
    }
}
