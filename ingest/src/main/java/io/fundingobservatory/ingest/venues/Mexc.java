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
import io.fundingobservatory.ingest.reading.Symbols;
import io.fundingobservatory.ingest.reading.Symbols.Pair;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * MEXC Futures.
 *
 * <p>{@code funding_rate} carries rate, cycle in hours (24 occurs) and, since 2026-04-18, prices; before that they come from the
 * tickers. {@code detail} tells what trades; asset names are cut from the symbol, so that they do not depend on it.
 */
final class Mexc implements Venue {
    private static final String V1 = "https://api.mexc.com/api/v1/contract/";

    @Override
    public Header header() {
        return Header.venue("mexc")
                .docs("https://www.mexc.com/api-docs/futures/market-endpoints", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("api.mexc.com", 20, 2)
                .request(get("contract_funding_rate", V1 + "funding_rate"))
                .request(get("contract_ticker", V1 + "ticker"))
                .request(get("contract_detail", V1 + "detail").hourly().weight(2))
                .history(History.get(
                        "funding_rate_history_{}",
                        V1 + "funding_rate/history?symbol={key}&page_num={page}&page_size=100",
                        Paging.PAGE,
                        100))
                .build();
    }

    @Override
    public void read(Answers answers, Rows rows) {
        Map<String, Node> details = answers.rowsBy("symbol", "contract_detail", "data");
        Map<String, Node> tickers = answers.rowsBy("symbol", "contract_ticker", "data");
        boolean detailKnown = !details.isEmpty();

        rows.each(answers.rows("contract_funding_rate", "data"), "symbol", row -> {
            if (detailKnown) {
                requireLivePerpetual(Skip.ifUnlisted(details, row.text("symbol")));
            }
            Pair pair = Symbols.splitAtLast(row.text("symbol"), '_');
            Node ticker = tickers.get(row.text("symbol"));
            // Coin-margined contracts are those quoted in plain USD.
            return QuoteBuilder.of(
                            pair.quote().equals("USD") ? ContractType.INVERSE : ContractType.LINEAR,
                            pair.base(),
                            pair.quote())
                    .rate(row.fundingRate("fundingRate"))
                    .intervalHours(row.positiveOrNull("collectCycle"), ROW)
                    .next(row.millis("nextSettleTime"))
                    .mark(price(row, "fairPrice", ticker, "fairPrice"))
                    .index(price(row, "idxPrice", ticker, "indexPrice"))
                    .venueTime(row.millis("timestamp"));
        });
    }

    private static void requireLivePerpetual(Node detail) {
        if (detail.has("futureType") && !detail.is("futureType", "1")) {
            throw Skip.because(Skip.NOT_PERPETUAL);
        }
        if (!detail.is("state", "0") || detail.flag("isHidden")) {
            throw Skip.because(Skip.NOT_TRADING);
        }
    }

    private static @Nullable BigDecimal price(Node row, String field, @Nullable Node ticker, String tickerField) {
        return row.has(field) || ticker == null ? row.price(field) : ticker.price(tickerField);
    }

    @Override
    public @Nullable Refusal refusal(Node body) {
        return Refusal.unless("0", body, "code", "message", "510");
    }

    @Override
    public void readHistory(Node body, Settlements settlements) {
        settlements.each(
                body.at("data").list("resultList"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("settleTime"), row.fundingRate("fundingRate"))
                        .interval(row.positiveOrNull("collectCycle")));
    }
}
