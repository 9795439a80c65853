package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.Instants;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * KuCoin Futures: one list carries everything.
 *
 * <p>The interval is in milliseconds. {@code nextFundingRateTime} is a countdown, not an instant, and is not
 * used: the instant has a field of its own. Some contracts settle on odd hours,
 * so no next time is derived.
 *
 * <p>For 5 to 20 seconds after a settlement the row has the old estimate with the new next time: it is
 * skipped. Then for about a minute {@code fundingFeeRate} is the rate just charged, and is shown as the last
 * settled one.
 *
 * <pre>{@code
 * contracts_active: {"symbol": "XBTUSDTM", "type": "FFWCSX", "baseCurrency": "XBT",
 *   "quoteCurrency": "USDT", "settleCurrency": "USDT", "isInverse": false, "status": "Open",
 *   "fundingFeeRate": 7.1E-5, "fundingRateGranularity": 28800000,
 *   "currentFundingRateGranularity": 28800000, "markPrice": 64010.57, "indexPrice": 64020.22,
 *   "nextFundingRateDateTime": 1790006400000}
 * }</pre>
 */
final class Kucoin implements Venue {
    private static final Duration OLD_ESTIMATE_SHOWN = Duration.ofSeconds(20);
    /** 20 seconds and "about a minute", a quarter of it more: a settled rate must not pass for a coming one. */
    private static final Duration SETTLED_SHOWN = Duration.ofSeconds(95);

    private static final String V1 = "https://api-futures.kucoin.com/api/v1/";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("kucoin")
                .docs("https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols", "2026-09-22")
                .rate(RateKind.ESTIMATE)
                .limit("api-futures.kucoin.com", 2000, 30)
                .request(get("contracts_active", V1 + "contracts/active").weight(3))
                // About 100 rows come back; a response of 90 or more is followed by another.
                .history(History.get(
                                "funding-rates_{}",
                                V1 + "contract/funding-rates?symbol={key}&from={from_ms}&to={to_ms}",
                                Paging.OLDER,
                                90)
                        .weight(5))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        responses.all("contracts_active").forEach(response -> read(response, rows));
    }

    private static void read(Response response, Rows rows) {
        rows.each(response.body().list("data"), "symbol", row -> {
            if (!row.is("type", "FFWCSX")) {
                throw Skip.because(Skip.NOT_PERPETUAL);
            }
            if (!row.is("status", "Open")) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            // The other one is what is configured: while a change is announced, it is not yet in force.
            BigDecimal interval = row.positiveOrNull(
                    row.has("currentFundingRateGranularity")
                            ? "currentFundingRateGranularity"
                            : "fundingRateGranularity");
            Long next = row.millis("nextFundingRateDateTime");
            Skip.unless(
                    !Instants.isJustSettled(next, interval, response.readAtMs(), OLD_ESTIMATE_SHOWN),
                    Skip.SETTLEMENT_PASSED);
            return QuoteBuilder.of(type(row), row.text("baseCurrency"), row.text("quoteCurrency"))
                    .rate(row.fundingRate("fundingFeeRate"))
                    .between(row.decimalOrNull("fundingRateFloor"), row.decimalOrNull("fundingRateCap"))
                    .kind(
                            Instants.isJustSettled(next, interval, response.readAtMs(), SETTLED_SHOWN)
                                    ? RateKind.LAST_SETTLED
                                    : RateKind.ESTIMATE)
                    .intervalMillis(interval, ROW)
                    .next(next)
                    .mark(row.price("markPrice"))
                    .index(row.price("indexPrice"));
        });
    }

    /** {@code isQuanto} is true on plain USDT contracts, too; what the contract settles in is what counts. */
    private static ContractType type(JsonValue row) {
        if (row.flag("isInverse")) {
            return ContractType.INVERSE;
        }
        return row.is("settleCurrency", row.text("quoteCurrency")) ? ContractType.LINEAR : ContractType.QUANTO;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("200000", body, "code", "msg", "429000", "200002");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("data"),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("timepoint"), row.fundingRate("fundingRate")));
    }
}
