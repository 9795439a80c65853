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
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deribit.
 *
 * <p>Funding accrues every millisecond. {@code current_funding} is the rate of this instant per 8 hours, and
 * exactly 0 while the price is within 0.05 % of the index. {@code funding_8h} is another value: what the last
 * 8 hours charged. The venue announces no settlement: the rate covers 8 hours, and the next instant stays
 * unknown.
 *
 * <pre>{@code
 * book_summary_BTC_future: {"instrument_name": "BTC-PERPETUAL", "current_funding": -2.1e-05,
 *   "mark_price": 64010.57, "estimated_delivery_price": 64020.88, "creation_timestamp": 1789999998004}
 * }</pre>
 */
final class Deribit implements Venue {
    private static final String API = "https://www.deribit.com/api/v2/public/";
    private static final List<String> CURRENCIES = List.of("BTC", "ETH", "USDC");
    private static final String PERPETUAL = "-PERPETUAL";

    @Override
    public VenueSpec spec() {
        VenueSpec.Builder header = VenueSpec.venue("deribit")
                .docs("https://docs.deribit.com", "2026-09-20")
                .rate(RateKind.CONTINUOUS)
                // the credit pool of anonymous callers is not published; about 20 requests a second
                .limit("www.deribit.com", 20, 1)
                .pool("get_instruments", 1, 1);
        for (String currency : CURRENCIES) {
            String query = "?currency=" + currency + "&kind=future";
            header.request(get("book_summary_" + currency + "_future", API + "get_book_summary_by_currency" + query));
            header.request(get("instruments_" + currency + "_future", API + "get_instruments" + query)
                    .hourly()
                    .pool("get_instruments"));
        }
        // 744 hourly rows are 31 days
        String settled = API + "get_funding_rate_history?instrument_name={key}";
        String between = "&start_timestamp={from_ms}&end_timestamp={to_ms}";
        return header.history(History.get("funding_rate_history_{}", settled + between, Paging.NONE, 744))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        for (String currency : CURRENCIES) {
            String list = "instruments_" + currency + "_future";
            Map<String, JsonValue> listed = responses.rowsBy("instrument_name", list, "result");
            boolean listKnown = !listed.isEmpty();
            rows.each(responses.rows("book_summary_" + currency + "_future", "result"), "instrument_name", row -> {
                String name = Symbols.before(PERPETUAL, row.text("instrument_name"));
                if (listKnown) {
                    requireOpen(Skip.ifUnlisted(listed, row.text("instrument_name")));
                }
                return builder(name)
                        .rate(row.fundingRate("current_funding"))
                        .coversHours(8)
                        .intervalHours(8, DOCUMENTED)
                        .mark(row.price("mark_price"))
                        .index(row.price("estimated_delivery_price"))
                        .venueTime(row.millis("creation_timestamp"));
            });
        }
    }

    /** {@code BTC} is coin-margined and quoted in dollars, {@code SOL_USDC} is linear. */
    private static QuoteBuilder builder(String name) {
        if (!name.contains("_")) {
            return QuoteBuilder.inverse(name, "USD");
        }
        Symbols.BaseQuote pair = Symbols.splitAtLast(name, '_');
        return QuoteBuilder.linear(pair.base(), pair.quote());
    }

    private static void requireOpen(JsonValue instrument) {
        Skip.unless(!instrument.is("is_active", "false"), Skip.NOT_TRADING);
        Skip.unless(!instrument.has("state") || instrument.is("state", "open"), Skip.NOT_TRADING);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.ifCoded(body.at("error"), "code", "message", "10028");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("result"),
                row -> Settled.fraction(row.millis("timestamp"), row.decimal("interest_1h"))
                        .interval(BigDecimal.ONE));
    }
}
