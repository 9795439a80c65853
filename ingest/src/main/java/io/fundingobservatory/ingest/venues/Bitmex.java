package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.header.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

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
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * BitMEX: one list of instruments carries everything.
 *
 * <p>{@code fundingRate} is what will be charged at {@code fundingTimestamp}, fixed one interval before; the moving figure
 * {@code indicativeFundingRate} belongs to the settlement after that. The interval is a time span written as a date: 08:00 on the
 * first day of 2000 means 8 hours.
 */
final class Bitmex implements Venue {
    private static final String V1 = "https://www.bitmex.com/api/v1/";
    private static final BigDecimal MILLIS_AN_HOUR = BigDecimal.valueOf(3_600_000);
    private static final long SPANS_COUNT_FROM_MS =
            Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();

    @Override
    public Header header() {
        return Header.venue("bitmex")
                .docs("https://www.bitmex.com/api/explorer/", "2026-07-31")
                .rate(RateKind.FIXED)
                .limit("www.bitmex.com", 30, 60)
                .request(get("instrument_active", V1 + "instrument/active"))
                .history(History.get(
                        "funding_{}",
                        V1 + "funding?symbol={key}&count=500&reverse=true&startTime={from_iso}&endTime={to_iso}",
                        Paging.OLDER,
                        500))
                // Without symbol: all contracts, oldest first. Six requests a minute are our share: one by one, a
                // hundred contracts
                // would take a quarter of an hour after each settlement.
                .bulkHistory(History.get(
                                "funding",
                                V1 + "funding?count=500&reverse=false&startTime={from_iso}&endTime={to_iso}",
                                Paging.NEWER,
                                500)
                        .symbolsIn("instrument_active", "symbol"))
                .build();
    }

    @Override
    public void read(Answers answers, Rows rows) {
        rows.each(answers.rows("instrument_active"), "symbol", row -> {
            if (!row.is("typ", "FFWCSX")) {
                throw Skip.because(Skip.NOT_PERPETUAL);
            }
            if (!row.is("state", "Open")) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            return QuoteBuilder.of(type(row), row.text("underlying"), row.text("quoteCurrency"))
                    .rate(row.fundingRate("fundingRate"))
                    .intervalMillis(span(row), ROW)
                    .next(row.iso("fundingTimestamp"))
                    .mark(row.price("markPrice"))
                    .index(row.price("indicativeSettlePrice"))
                    .venueTime(row.iso("timestamp"));
        });
    }

    private static ContractType type(Node row) {
        if (row.flag("isInverse")) {
            return ContractType.INVERSE;
        }
        return row.flag("isQuanto") ? ContractType.QUANTO : ContractType.LINEAR;
    }

    private static @Nullable BigDecimal span(Node row) {
        Long end = row.iso("fundingInterval");
        return end == null ? null : BigDecimal.valueOf(end - SPANS_COUNT_FROM_MS);
    }

    @Override
    public @Nullable Refusal refusal(Node body) {
        if (!body.has("error")) {
            return null;
        }
        Node error = body.at("error");
        String message = error.textOrNull("message");
        return new Refusal(message == null ? "error" : message, error.is("name", "RateLimitError"));
    }

    @Override
    public void readHistory(Node body, Settlements settlements) {
        settlements.each(
                body.elements(),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.iso("timestamp"), row.fundingRate("fundingRate"))
                        .interval(hours(span(row))));
    }

    private static @Nullable BigDecimal hours(@Nullable BigDecimal millis) {
        return millis == null ? null : millis.divide(MILLIS_AN_HOUR, MathContext.DECIMAL64);
    }
}
