package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.header.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

import io.fundingobservatory.ingest.answers.Answers;
import io.fundingobservatory.ingest.answers.Node;
import io.fundingobservatory.ingest.answers.Refusal;
import io.fundingobservatory.ingest.answers.Skip;
import io.fundingobservatory.ingest.header.Header;
import io.fundingobservatory.ingest.header.History;
import io.fundingobservatory.ingest.header.History.Paging;
import io.fundingobservatory.ingest.reading.QuoteBuilder;
import io.fundingobservatory.ingest.reading.Rows;
import io.fundingobservatory.ingest.reading.Settlements;
import io.fundingobservatory.ingest.reading.Settlements.Settled;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.records.RateKind;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Aevo. Settles every hour.
 *
 * <p>The rates are in a list made for CoinGecko. It still has delisted markets, with rate 0 and without a
 * next settlement; {@code markets} has what trades.
 */
final class Aevo implements Venue {
    private static final String API = "https://api.aevo.xyz/";

    @Override
    public Header header() {
        return Header.venue("aevo")
                .docs("https://api-docs.aevo.xyz", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                // No limit is published; one request a second is assumed.
                .limit("api.aevo.xyz", 60, 60)
                .saysToWaitIn("x-retry-after", ChronoUnit.SECONDS)
                .request(get("coingecko-statistics", API + "coingecko-statistics"))
                .request(get("markets", API + "markets?instrument_type=PERPETUAL"))
                .history(History.get(
                        "funding-history_{}",
                        API + "funding-history?instrument_name={key}&start_time={from_ns}&end_time={to_ns}&limit=50",
                        Paging.OLDER,
                        50))
                .build();
    }

    @Override
    public void read(Answers answers, Rows rows) {
        Map<String, Node> statistics = answers.rowsBy("ticker_id", "coingecko-statistics");

        rows.each(answers.rows("markets"), "instrument_name", market -> {
            Skip.unless(market.is("instrument_type", "PERPETUAL"), Skip.NOT_PERPETUAL);
            Skip.unless(market.flag("is_active"), Skip.NOT_TRADING);
            Node rate = statistics.get(market.text("instrument_name"));
            if (rate == null) {
                throw Skip.because(Skip.NO_FUNDING_RATE);
            }
            return QuoteBuilder.linear(market.text("underlying_asset"), market.text("quote_asset"))
                    .rate(rate.fundingRate("funding_rate"))
                    .intervalHours(1, DOCUMENTED)
                    .next(rate.seconds("next_funding_rate_timestamp"))
                    .mark(market.price("mark_price"))
                    .index(market.price("index_price"));
        });
    }

    @Override
    public @Nullable Refusal refusal(Node body) {
        String error = body.textOrNull("error");
        return error == null
                ? null
                : new Refusal(error, error.toUpperCase(Locale.ROOT).contains("RATE_LIMIT"));
    }

    @Override
    public void readHistory(Node body, Settlements settlements) {
        var rows = body.list("funding_history").stream()
                .map(row -> row.named("instrument", "time_ns", "rate", "mark"))
                .toList();
        settlements.each(
                rows,
                row -> row.text("instrument"),
                row -> Settled.fraction(row.nanos("time_ns"), row.fundingRate("rate")));
    }
}
