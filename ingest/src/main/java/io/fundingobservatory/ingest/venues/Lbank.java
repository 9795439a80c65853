package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.header.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

import io.fundingobservatory.ingest.answers.Answers;
import io.fundingobservatory.ingest.answers.Node;
import io.fundingobservatory.ingest.answers.Refusal;
import io.fundingobservatory.ingest.answers.Skip;
import io.fundingobservatory.ingest.header.Header;
import io.fundingobservatory.ingest.reading.QuoteBuilder;
import io.fundingobservatory.ingest.reading.Rows;
import io.fundingobservatory.ingest.reading.Symbols;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.records.RateKind;
import org.jspecify.annotations.Nullable;

/**
 * LBank: one answer has everything, for perpetuals in USDT only. No settled rates are published.
 *
 * <p>{@code positionFeeTime} is the interval in seconds; a row without it is of an older wire format and says too little. The base
 * coin is read from the symbol: the instrument list's {@code baseCurrency} renames some coins.
 */
final class Lbank implements Venue {
    @Override
    public Header header() {
        return Header.venue("lbank")
                .docs("https://www.lbank.com/docs/contract.html", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("lbkperp.lbank.com", 20, 1) // not published; what clients assume
                // any other group, or none, is answered with an empty list
                .request(get(
                        "marketData_SwapU",
                        "https://lbkperp.lbank.com/cfd/openApi/v1/pub/marketData?productGroup=SwapU"))
                .build();
    }

    @Override
    public void read(Answers answers, Rows rows) {
        rows.each(answers.rows("marketData_SwapU", "data"), "symbol", row -> {
            // 2 is trading; the others, half of all rows, are not
            Skip.unless(!row.has("instrumentStatus") || row.is("instrumentStatus", "2"), Skip.NOT_TRADING);
            Symbols.Pair pair = Symbols.cutQuote(row.text("symbol"), "USDT");
            return QuoteBuilder.linear(pair.base(), pair.quote())
                    .rate(row.fundingRate("fundingRate"))
                    .intervalSeconds(row.decimal("positionFeeTime"), ROW)
                    .next(row.millis("nextFeeTime"))
                    .mark(row.price("markedPrice"))
                    .index(row.price("underlyingPrice"));
        });
    }

    @Override
    public @Nullable Refusal refusal(Node body) {
        if (body.is("success", "false")) {
            return new Refusal(
                    body.textOrNull("error_code") + " " + body.textOrNull("msg"), body.is("error_code", "183"));
        }
        return body.at("data").isArray() && body.list("data").isEmpty() ? new Refusal("empty list", false) : null;
    }
}
