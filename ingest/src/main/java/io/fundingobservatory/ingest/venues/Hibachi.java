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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hibachi. One list holds contracts and live values.
 *
 * <p>Closed contracts stay in the list; {@code status} marks them, {@code symbolStatus} does not. The list has
 * neither interval nor next settlement. Every contract has settled hourly since 2026 and every 8 hours
 * before; the documentation still states 8. The interval guard compares the hour with the settlements. Where
 * they are not an hour apart, the interval is unknown.
 *
 * <pre>{@code
 * inventory: {"contract": {"category": "CRYPTO", "settlementSymbol": "USDT", "status": "LIVE",
 *   "symbol": "BTC/USDT-P", "underlyingSymbol": "BTC"}, "info": {"estimatedFundingRate": "0.000007",
 *   "markPrice": "64009.12500", "spotPrice": "64020.10000"}}
 * }</pre>
 */
final class Hibachi implements Venue {
    private static final String API = "https://data-api.hibachi.xyz/market/";
    private static final String PERPETUAL = "/USDT-P";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("hibachi")
                .docs("https://api-doc.hibachi.xyz", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                // No limit is published; one request a second is assumed.
                .limit("data-api.hibachi.xyz", 60, 60)
                .request(get("inventory", API + "inventory"))
                .history(History.get(
                                "funding-rates_{}",
                                API + "data/funding-rates?symbol={key}" + PERPETUAL
                                        + "&startTime={from_s}&endTime={to_s}&limit=100&offset=0",
                                Paging.NEWER,
                                100)
                        .keys(Hibachi::symbolsByCoin))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        rows.each(
                responses.rows("inventory", "markets"),
                row -> row.at("contract").text("symbol"),
                (symbol, row) -> {
                    JsonValue contract = row.at("contract");
                    Skip.unless(symbol.endsWith("-P"), Skip.NOT_PERPETUAL);
                    Skip.unless(contract.is("status", "LIVE"), Skip.NOT_TRADING);
                    JsonValue live = row.at("info");
                    return QuoteBuilder.linear(contract.text("underlyingSymbol"), contract.text("settlementSymbol"))
                            // FX is also the category of metals.
                            .assetClass(contract.is("category", "CRYPTO") ? AssetClass.CRYPTO : null)
                            .rate(live.fundingRate("estimatedFundingRate"))
                            .intervalHours(1, DOCUMENTED)
                            .mark(live.price("markPrice"))
                            .index(live.price("spotPrice"));
                });
    }

    private static Map<String, String> symbolsByCoin(VenueResponses responses) {
        var symbols = new LinkedHashMap<String, String>();
        for (JsonValue market : responses.rows("inventory", "markets")) {
            String symbol = market.at("contract").textOrNull("symbol");
            if (symbol != null && symbol.endsWith(PERPETUAL)) {
                symbols.put(symbol.substring(0, symbol.length() - PERPETUAL.length()), symbol);
            }
        }
        return symbols;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        // Its errors are not documented: a body that is neither a list of markets nor of settlements is one.
        return body.has("markets") || body.has("data")
                ? null
                : new VenueError(
                        Objects.requireNonNullElse(body.textOrNull("message"), "an error without a message"), false);
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("data"),
                row -> Settled.fraction(row.seconds("fundingTimestamp"), row.fundingRate("fundingRate")));
    }
}
