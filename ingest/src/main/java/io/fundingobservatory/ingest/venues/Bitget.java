package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.reading.Request.get;
import static io.fundingobservatory.topics.IntervalSource.INSTRUMENT_LIST;
import static io.fundingobservatory.topics.IntervalSource.ROW;

import io.fundingobservatory.ingest.reading.Answers;
import io.fundingobservatory.ingest.reading.Draft;
import io.fundingobservatory.ingest.reading.Header;
import io.fundingobservatory.ingest.reading.History;
import io.fundingobservatory.ingest.reading.History.Paging;
import io.fundingobservatory.ingest.reading.Node;
import io.fundingobservatory.ingest.reading.Refusal;
import io.fundingobservatory.ingest.reading.Rows;
import io.fundingobservatory.ingest.reading.Settlements;
import io.fundingobservatory.ingest.reading.Settlements.Settled;
import io.fundingobservatory.ingest.reading.Skip;
import io.fundingobservatory.ingest.reading.Symbols;
import io.fundingobservatory.ingest.reading.Symbols.Pair;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.ContractType;
import io.fundingobservatory.topics.RateKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bitget futures V2: three books, each with its own lists.
 *
 * <p>The rate and the interval stand in {@code current-fund-rate}; the same figure in the tickers lags behind and is not used.
 * That list also holds pre-listing and test contracts, which neither have a ticker nor are normal perpetuals in the list of
 * contracts.
 */
final class Bitget implements Venue {
    private static final String V2 = "https://api.bitget.com/api/v2/mix/market/";

    /** A book, the ending of its symbols and what prices are quoted in there. */
    private record Book(String name, String ending, String quote, ContractType type) {
        Pair cut(String symbol) {
            return new Pair(Symbols.cutQuote(symbol, ending).base(), quote);
        }
    }

    private static final List<Book> BOOKS = List.of(
            new Book("USDT-FUTURES", "USDT", "USDT", ContractType.LINEAR),
            new Book("USDC-FUTURES", "PERP", "USDC", ContractType.LINEAR),
            new Book("COIN-FUTURES", "USD", "USD", ContractType.INVERSE));

    @Override
    public Header header() {
        var header = Header.venue("bitget")
                .docs("https://www.bitget.com/api-doc/contract/market/Get-Current-Funding-Rate", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("api.bitget.com", 20, 1);
        for (Book book : BOOKS) {
            String of = book.name() + "&symbol={key}&pageSize=100&pageNo={page}";
            header.request(get("current-fund-rate_" + book.name(), V2 + "current-fund-rate?productType=" + book.name()))
                    .request(get("tickers_" + book.name(), V2 + "tickers?productType=" + book.name()))
                    .request(get("contracts_" + book.name(), V2 + "contracts?productType=" + book.name())
                            .hourly())
                    .history(History.get(
                                    "history-fund-rate_{}",
                                    V2 + "history-fund-rate?productType=" + of,
                                    Paging.PAGE,
                                    100)
                            .symbolsIn("current-fund-rate_" + book.name(), "symbol", "data"));
        }
        return header.build();
    }

    @Override
    public void read(Answers answers, Rows rows) {
        for (Book book : BOOKS) {
            Map<String, Node> tickers = answers.rowsBy("symbol", "tickers_" + book.name(), "data");
            Map<String, Node> listed = answers.rowsBy("symbol", "contracts_" + book.name(), "data");
            boolean nothingToCheckBy = tickers.isEmpty() && listed.isEmpty();
            for (Node body : answers.bodies("current-fund-rate_" + book.name())) {
                rows.each(body.list("data"), "symbol", row -> {
                    Node ticker = tickers.get(row.text("symbol"));
                    Node contract = listed.get(row.text("symbol"));
                    requireLivePerpetual(row, contract);
                    if (ticker == null && contract == null && !nothingToCheckBy) {
                        throw Skip.because(Skip.NOT_IN_INSTRUMENT_LIST);
                    }
                    Pair pair = contract == null
                            ? book.cut(row.text("symbol"))
                            : new Pair(contract.text("baseCoin"), contract.text("quoteCoin"));
                    Draft draft = Draft.of(book.type(), pair.base(), pair.quote())
                            .rate(row.fundingRate("fundingRate"))
                            .next(row.millis("nextUpdate"))
                            .mark(ticker == null ? null : ticker.price("markPrice"))
                            .index(ticker == null ? null : ticker.price("indexPrice"))
                            .venueTime(body.millis("requestTime"));
                    return row.textOrNull("fundingRateInterval") == null && contract != null
                            ? draft.intervalHours(contract.positiveOrNull("fundInterval"), INSTRUMENT_LIST)
                            : draft.intervalHours(row.positiveOrNull("fundingRateInterval"), ROW);
                });
            }
        }
    }

    private static void requireLivePerpetual(Node row, @Nullable Node contract) {
        if (row.is("nextUpdate", "0") || (contract != null && !contract.is("symbolType", "perpetual"))) {
            throw Skip.because(Skip.NOT_PERPETUAL);
        }
        // limit_open and restrictedAPI restrict who may trade; the market itself goes on.
        if (contract != null && !contract.is("symbolStatus", "normal", "limit_open", "restrictedAPI")) {
            throw Skip.because(Skip.NOT_TRADING);
        }
    }

    @Override
    public @Nullable Refusal refusal(Node body) {
        return Refusal.unless("00000", body, "code", "msg", "429");
    }

    @Override
    public void readHistory(Node body, Settlements settlements) {
        settlements.each(
                body.list("data"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("fundingTime"), row.fundingRate("fundingRate")));
    }
}
