package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bitrue, linear contracts: the venue that ADD_A_VENUE.md was followed with. It is not listed.
 *
 * <p>Two lists of the venue's own pages carry the estimate and the interval, under the contract's name
 * without {@code E-}. {@code contracts} shows what trades. The time to the settlement is given in seconds
 * from the response on. Prices exist only in a response for each contract and are unknown here.
 */
final class Bitrue implements Venue {
    private static final String WEB = "https://futures.bitrue.com/fe-co-api/common/";
    private static final List<String> QUOTES = List.of("USDT", "USDC");
    private static final long HALF_AN_HOUR_MS = 1_800_000;

    @Override
    public VenueSpec spec() {
        VenueSpec.Builder header = VenueSpec.venue("bitrue")
                .docs("https://github.com/Bitrue-exchange/USDT-M-Future-open-api-docs", "2026-09-22")
                .rate(RateKind.ESTIMATE)
                // none is published; 5 a second got a response
                .limit("fapi.bitrue.com", 60, 60)
                .limit("futures.bitrue.com", 60, 60);
        for (String quote : QUOTES) {
            header.request(get("funding_rate_real_time_" + quote, WEB + "funding_rate_real_time?symbol=" + quote));
        }
        return header.request(get("contracts", "https://fapi.bitrue.com/fapi/v1/contracts")
                        .hourly())
                // its own page requests six; 31 days of hours in a hundred pages want eight, the most it gives is
                // unconfirmed
                .history(History.post(
                                "funding_rate_history_{}",
                                WEB + "funding_rate_history",
                                "{\"symbol\":\"{key}\",\"page\":{page},\"rows\":20}",
                                Paging.PAGE,
                                20)
                        .keys(Bitrue::symbolsByAlias))
                .build();
    }

    private static Map<String, String> symbolsByAlias(VenueResponses responses) {
        var symbols = new LinkedHashMap<String, String>();
        for (String quote : QUOTES) {
            responses
                    .rowsBy("symbolAlias", "funding_rate_real_time_" + quote, "data")
                    .keySet()
                    .forEach(alias -> symbols.put(alias, "E-" + alias));
        }
        return symbols;
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> contracts = responses.rowsBy("symbol", "contracts");
        for (String quote : QUOTES) {
            for (Response response : responses.all("funding_rate_real_time_" + quote)) {
                rows.each(response.body().list("data"), row -> "E-" + row.text("symbolAlias"), (symbol, row) -> {
                    JsonValue contract = Skip.ifUnlisted(contracts, symbol);
                    Skip.unless(contract.is("type", "E"), Skip.NOT_PERPETUAL); // the others are for practice
                    Skip.unless(contract.is("status", "1"), Skip.NOT_TRADING);
                    Symbols.BaseQuote pair = Symbols.splitAtLast(row.text("symbolAlias"), '-');
                    return QuoteBuilder.linear(pair.base(), pair.quote())
                            .rate(row.fundingRate("fundingRate"))
                            .intervalHours(row.positiveOrNull("capitalFrequency"), ROW)
                            .next(next(row, response.readAtMs()));
                });
            }
        }
    }

    private static @Nullable Long next(JsonValue row, long readAtMs) {
        Long in = row.seconds("remainingSecond");
        return in == null ? null : Instants.hourBelow(readAtMs + in + HALF_AN_HOUR_MS);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "msg");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("data").list("records"),
                row -> Settled.fraction(row.millis("calcTime"), row.decimal("lastFundingRate"))
                        .interval(row.positiveOrNull("fundingIntervalHours")));
    }
}
