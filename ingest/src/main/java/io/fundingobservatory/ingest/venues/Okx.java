package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.header.Request.get;

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
import io.fundingobservatory.ingest.reading.Symbols;
import io.fundingobservatory.ingest.reading.Symbols.Pair;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * OKX V5 swaps.
 *
 * <p>{@code fundingTime} is the coming settlement. Its rate covers the time since {@code prevFundingTime}, so
 * their gap is the interval. Where the latter is absent, the reader uses the gap to {@code nextFundingTime},
 * the settlement after it. The two differ before OKX shortens the interval of a rate at its cap.
 *
 * <p>Mark and index prices come from two further lists, the index under the swap's underlying. The dated
 * X-Perps in the funding list are not swaps and count as not perpetual. In 2026-08 they were 132 of 584 rows,
 * with an expiry of five years.
 */
final class Okx implements Venue {
    private static final String V5 = "https://www.okx.com/api/v5/";

    @Override
    public Header header() {
        return Header.venue("okx")
                .docs("https://www.okx.com/docs-v5/en/#public-data-rest-api-get-funding-rate", "2026-09-10")
                .rate(RateKind.ESTIMATE)
                .limit("www.okx.com", 10, 2)
                .request(get("funding-rate_ANY", V5 + "public/funding-rate?instId=ANY"))
                .request(get("mark-price_SWAP", V5 + "public/mark-price?instType=SWAP"))
                .request(get("index-tickers_USDT", V5 + "market/index-tickers?quoteCcy=USDT"))
                .request(get("index-tickers_USD", V5 + "market/index-tickers?quoteCcy=USD"))
                .request(get("instruments_SWAP", V5 + "public/instruments?instType=SWAP")
                        .hourly())
                // The present page is 400 rows by the documentation and was 100 before: 100 is right either way.
                .history(History.get(
                        "funding-rate-history_{}",
                        V5 + "public/funding-rate-history?instId={key}&after={to_ms}&limit=100",
                        Paging.OLDER,
                        100))
                .build();
    }

    @Override
    public void read(Answers answers, Rows rows) {
        Map<String, Node> listed = answers.rowsBy("instId", "instruments_SWAP", "data");
        Map<String, Node> marks = answers.rowsBy("instId", "mark-price_SWAP", "data");
        Map<String, Node> indices = new HashMap<>(answers.rowsBy("instId", "index-tickers_USDT", "data"));
        indices.putAll(answers.rowsBy("instId", "index-tickers_USD", "data"));

        rows.each(answers.rows("funding-rate_ANY", "data"), "instId", row -> {
            if (!row.is("instType", "SWAP")) {
                throw Skip.because(Skip.NOT_PERPETUAL);
            }
            Node instrument = Skip.ifUnlisted(listed, row.text("instId"));
            if (!instrument.is("state", "live")) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            String underlying = instrument.text("uly");
            Pair pair = Symbols.splitAtLast(underlying, '-');
            Skip.unless(
                    !pair.base().startsWith("TEST"),
                    Skip.NOT_TRADING); // the exchange's own tests are live in its lists
            Long next = row.millis("fundingTime");
            Long previous = row.millis("prevFundingTime");
            QuoteBuilder quote = QuoteBuilder.of(type(instrument), pair.base(), pair.quote());
            return (previous == null
                            ? quote.intervalBetween(next, row.millis("nextFundingTime"))
                            : quote.intervalBetween(previous, next))
                    .rate(row.fundingRate("fundingRate"))
                    .next(next)
                    .mark(price(marks.get(row.text("instId")), "markPx"))
                    .index(price(indices.get(underlying), "idxPx"))
                    .venueTime(row.millis("ts"));
        });
    }

    private static ContractType type(Node instrument) {
        return switch (instrument.text("ctType")) {
            case "linear" -> ContractType.LINEAR;
            case "inverse" -> ContractType.INVERSE;
            default -> throw Skip.because(Skip.UNKNOWN_STATE);
        };
    }

    private static @Nullable BigDecimal price(@Nullable Node row, String field) {
        return row == null ? null : row.price(field);
    }

    @Override
    public @Nullable Refusal refusal(Node body) {
        return Refusal.unless("0", body, "code", "msg", "50011");
    }

    /** {@code realizedRate} was charged; {@code fundingRate} is what had been forecast. */
    @Override
    public void readHistory(Node body, Settlements settlements) {
        settlements.each(
                body.list("data"),
                row -> row.text("instId"),
                row -> Settled.fraction(row.millis("fundingTime"), row.fundingRate("realizedRate")));
    }
}
