package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

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
import io.fundingobservatory.ingest.spec.Symbols.BaseQuote;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Kraken Futures.
 *
 * <p>{@code fundingRate} is an absolute amount for the running hour, fixed for that hour. On linear contracts
 * ({@code PF_}) it is quote currency per coin. On inverse ones ({@code PI_}) it is coin per unit of quote
 * currency. The index price converts it to a fraction, within half a percent of the true one.
 *
 * <p>Some sources show the true fraction, {@code relativeFundingRate}, in these rows (not confirmed). It is
 * preferred where it is present.
 *
 * <pre>{@code
 * tickers: {"symbol": "PF_XBTUSD", "tag": "perpetual", "pair": "XBT:USD",
 *   "markPrice": 64010.74778169378, "indexPrice": 64020.5, "fundingRate": 1.444418177964,
 *   "suspended": false}
 * }</pre>
 */
final class Kraken implements Venue {
    private static final String V3 = "https://futures.kraken.com/derivatives/api/v3/";
    private static final long HOUR_MS = 3_600_000;

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("kraken")
                .docs("https://docs.kraken.com/api/docs/futures-api/trading/get-tickers", "2026-09-10")
                .rate(RateKind.FIXED)
                // Public values cost nothing of the published budget of 500 in 10 s.
                .limit("futures.kraken.com", 500, 10)
                .request(get("tickers", V3 + "tickers"))
                // About a year in one response, whatever range is requested.
                .history(History.get(
                        "historical-funding-rates_{}",
                        V3 + "historical-funding-rates?symbol={key}",
                        Paging.NONE,
                        10_000))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        for (JsonValue body : responses.bodies("tickers")) {
            rows.each(body.list("tickers"), "symbol", row -> {
                if (!row.is("tag", "perpetual")) {
                    throw Skip.because(Skip.NOT_PERPETUAL);
                }
                if (row.flag("suspended")) {
                    throw Skip.because(Skip.NOT_TRADING);
                }
                Long serverTime = body.iso("serverTime");
                BaseQuote pair = Symbols.splitAtLast(row.text("pair"), ':');
                return rate(QuoteBuilder.of(type(row.text("symbol")), pair.base(), pair.quote()), row)
                        .intervalHours(1, DOCUMENTED)
                        .next(serverTime == null ? null : Instants.nextHour(serverTime))
                        .mark(row.price("markPrice"))
                        .index(row.price("indexPrice"))
                        .venueTime(serverTime);
            });
        }
    }

    private static QuoteBuilder rate(QuoteBuilder builder, JsonValue row) {
        BigDecimal relative = row.decimalOrNull("relativeFundingRate");
        if (relative != null) {
            return builder.rate(relative);
        }
        BigDecimal absolute = row.fundingRate("fundingRate");
        if (row.price("indexPrice") == null) {
            throw Skip.unreadable("indexPrice");
        }
        return builder.rate(
                absolute,
                type(row.text("symbol")) == ContractType.LINEAR
                        ? RateUnit.QUOTE_PER_COIN_AT_INDEX
                        : RateUnit.COIN_PER_QUOTE_AT_INDEX);
    }

    private static ContractType type(String symbol) {
        return switch (symbol.substring(0, Math.min(3, symbol.length()))) {
            case "PF_" -> ContractType.LINEAR;
            case "PI_" -> ContractType.INVERSE;
            default -> throw Skip.because(Skip.UNKNOWN_STATE);
        };
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (!body.is("result", "error")) {
            return null;
        }
        String error = body.textOrNull("error");
        String reason = error == null ? body.at("errors").at(0).textOrNull("message") : error;
        return new VenueError(reason == null ? "error" : reason, "apiLimitExceeded".equals(error));
    }

    /**
     * Reads settled rates. A row's time is the start of the hour that its rate covers, and the settlement is
     * complete at that hour's end. The newest row, of the running hour, is therefore not yet a settlement by
     * the venue's own clock.
     */
    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(body.list("rates"), row -> {
            Long begins = row.iso("timestamp");
            Long now = body.iso("serverTime");
            Long ends = begins == null ? null : begins + HOUR_MS;
            Skip.unless(ends == null || now == null || ends <= now, Skip.NOT_SETTLED_YET);
            return Settled.fraction(ends, row.fundingRate("relativeFundingRate"));
        });
    }
}
