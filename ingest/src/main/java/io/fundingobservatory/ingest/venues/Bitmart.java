package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.header.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

import io.fundingobservatory.ingest.answers.Answers;
import io.fundingobservatory.ingest.answers.Answers.Response;
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
import org.jspecify.annotations.Nullable;

/**
 * BitMart Futures V2: one answer has everything but a mark price, which no bulk answer has.
 *
 * <p>{@code expected_funding_rate} is the running estimate of the settlement at {@code funding_time}; {@code funding_rate}, in spite
 * of the documentation, the last settled one. "Trading" is not enough to trade: contracts keep it past their {@code delist_time},
 * and more of them have an empty book and a rate that stands still; they are known by a day without a trade.
 */
final class Bitmart implements Venue {
    private static final String API = "https://api-cloud-v2.bitmart.com/contract/public/";

    @Override
    public Header header() {
        return Header.venue("bitmart")
                .docs("https://developer-pro.bitmart.com/en/futuresv2/", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("api-cloud-v2.bitmart.com", 12, 2)
                .request(get("contract_details", API + "details"))
                .history(History.get(
                        "funding-rate-history",
                        API + "funding-rate-history?symbol={key}&limit=100", // no times: 100 rows are all there is
                        Paging.NONE,
                        100))
                .build();
    }

    @Override
    public void read(Answers answers, Rows rows) {
        for (Response answer : answers.all("contract_details")) {
            rows.each(answer.body().at("data").list("symbols"), "symbol", row -> {
                requireLivePerpetual(row, answer.readAtMs());
                return QuoteBuilder.of(type(row), row.text("base_currency"), row.text("quote_currency"))
                        .rate(row.fundingRate("expected_funding_rate"))
                        .intervalHours(row.positiveOrNull("funding_interval_hours"), ROW)
                        .next(row.millis("funding_time"))
                        .index(row.price("index_price"));
            });
        }
    }

    private static void requireLivePerpetual(Node row, long readAtMs) {
        Skip.unless(row.is("product_type", "1"), Skip.NOT_PERPETUAL);
        Long delisted = row.seconds("delist_time");
        if (row.is("status", "Delisted") || (delisted != null && delisted <= readAtMs)) {
            throw Skip.because(Skip.NOT_TRADING);
        }
        Skip.unless(!row.has("status") || row.is("status", "Trading"), Skip.UNKNOWN_STATE);
        Skip.unless(!row.has("volume_24h") || row.positiveOrNull("volume_24h") != null, Skip.NOT_TRADING);
    }

    /** {@code BTCUSD} and its like are margined in the coin. */
    private static ContractType type(Node row) {
        return row.is("quote_currency", "USD") ? ContractType.INVERSE : ContractType.LINEAR;
    }

    @Override
    public @Nullable Refusal refusal(Node body) {
        return Refusal.unless("1000", body, "code", "message", "30013");
    }

    @Override
    public void readHistory(Node body, Settlements settlements) {
        settlements.each(
                body.at("data").list("list"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("funding_time"), row.decimal("funding_rate")));
    }
}
