package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.header.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

import io.fundingobservatory.ingest.answers.Answers;
import io.fundingobservatory.ingest.answers.Answers.Response;
import io.fundingobservatory.ingest.answers.Node;
import io.fundingobservatory.ingest.answers.Refusal;
import io.fundingobservatory.ingest.answers.Skip;
import io.fundingobservatory.ingest.header.Header;
import io.fundingobservatory.ingest.header.History;
import io.fundingobservatory.ingest.header.History.Paging;
import io.fundingobservatory.ingest.reading.Instants;
import io.fundingobservatory.ingest.reading.QuoteBuilder;
import io.fundingobservatory.ingest.reading.Rows;
import io.fundingobservatory.ingest.reading.Settlements;
import io.fundingobservatory.ingest.reading.Settlements.Settled;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.records.RateKind;
import org.jspecify.annotations.Nullable;

/**
 * Extended, on Starknet. Refuses requests without a {@code User-Agent}.
 *
 * <p>One list holds everything. {@code nextFundingRate} is, in spite of its name, the time of the next settlement. {@code status}
 * tells what trades; {@code active} does not. Shares that trade 24 hours on 5 days are named {@code MU_24_5}.
 */
final class Extended implements Venue {
    private static final String API = "https://api.starknet.extended.exchange/api/v1/info/";
    private static final long DAY_MS = 86_400_000;

    @Override
    public Header header() {
        return Header.venue("extended")
                .docs("https://api.docs.extended.exchange", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                .limit("api.starknet.extended.exchange", 1000, 60)
                .request(get("info-markets", API + "markets"))
                .history(History.get(
                        "funding_{}", API + "{key}/funding?startTime={from_ms}&endTime={to_ms}", Paging.OLDER, 1000))
                .build();
    }

    @Override
    public void read(Answers answers, Rows rows) {
        answers.all("info-markets").forEach(answer -> read(answer, rows));
    }

    private static void read(Response answer, Rows rows) {
        rows.each(answer.body().list("data"), "name", row -> {
            // Bodies before summer 2026 have no type: they knew nothing but perpetuals.
            Skip.unless(!row.has("type") || row.is("type", "PERPETUAL"), Skip.NOT_PERPETUAL);
            Skip.unless(row.is("status", "ACTIVE"), Skip.NOT_TRADING);
            Node live = row.at("marketStats");
            return QuoteBuilder.linear(row.text("assetName"), row.text("collateralAssetName"))
                    .rate(live.fundingRate("fundingRate"))
                    .intervalHours(1, DOCUMENTED)
                    .next(next(live.millis("nextFundingRate"), answer.readAtMs()))
                    .mark(live.price("markPrice"))
                    .index(live.price("indexPrice"));
        });
    }

    /** A row can lag behind and still name an hour that has passed; one of another day is a recording that is played back. */
    private static @Nullable Long next(@Nullable Long told, long readAtMs) {
        boolean lags = told != null && told <= readAtMs && readAtMs - told < DAY_MS;
        return lags ? Long.valueOf(Instants.nextHour(readAtMs)) : told;
    }

    @Override
    public @Nullable Refusal refusal(Node body) {
        if (!body.has("status") || body.is("status", "OK")) {
            return null;
        }
        Node error = body.at("error");
        return new Refusal(error.textOrNull("code") + " " + error.textOrNull("message"), error.is("code", "429"));
    }

    /** A row is stamped when it is booked, 1 to 2 seconds after its hour and now and then minutes after it. */
    @Override
    public void readHistory(Node body, Settlements settlements) {
        settlements.each(body.list("data"), row -> row.text("m"), row -> {
            Long booked = row.millis("T");
            return Settled.fraction(booked == null ? null : Instants.hourBelow(booked), row.fundingRate("f"));
        });
    }
}
