package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.ingest.spec.Symbols;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Toobit. The funding and mark responses have test, retired and dated contracts too. {@code exchangeInfo}
 * lists what trades, the coin of a contract, and the token under which its index is found. Without it there are
 * no rows: a symbol alone names another coin (ID2 for ID), which looks like a relisting.
 *
 * <p>{@code period} ("8H") is the interval. Where no row has it, 8 hours is documented. Where other rows have
 * it, a row without it has an unknown interval. For up to 75 s after a settlement a row still
 * names that settlement with the settled rate: it is left out.
 *
 * <pre>{@code
 * fundingRate: {"symbol": "BTC-SWAP-USDT", "rate": "0.0001071148112848", "period": "8H",
 *   "nextFundingTime": "1790006400000"}
 * }</pre>
 */
final class Toobit implements Venue {
    private static final String API = "https://api.toobit.com/";
    private static final BigDecimal DOCUMENTED_HOURS = BigDecimal.valueOf(8);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("toobit")
                .docs("https://toobit-docs.github.io/apidocs/usdt_swap/v1/en/", "2026-09-22")
                .rate(RateKind.ESTIMATE)
                .limit("api.toobit.com", 3000, 60)
                .pool("markPrice", 5, 1)
                .request(get("fundingRate", API + "api/v1/futures/fundingRate").rates())
                .request(get("markPrice", API + "quote/v1/markPrice").weight(10).pool("markPrice"))
                .request(get("index", API + "quote/v1/index"))
                .request(get("exchangeInfo", API + "api/v1/exchangeInfo").hourly())
                .history(History.get(
                        "historyFundingRate",
                        API + "api/v1/futures/historyFundingRate?symbol={key}&limit={rows}", // no times, pages go by id
                        Paging.NONE,
                        1000))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> contracts = responses.rowsBy("symbol", "exchangeInfo", "contracts");
        Map<String, JsonValue> marks = JsonValue.by(responses.rowsOrRow("markPrice"), "symbolId");
        JsonValue indices =
                responses.body("index").map(body -> body.at("index")).orElse(null);
        List<JsonValue> fundings = responses.rows("fundingRate");
        boolean documented = fundings.stream().noneMatch(row -> row.has("period"));

        rows.each(fundings, "symbol", row -> {
            String symbol = row.text("symbol");
            JsonValue contract = Skip.ifUnlisted(contracts, symbol);
            QuoteBuilder builder = builder(symbol, contract);
            Long next = row.millis("nextFundingTime");
            Skip.ifSettlementPassed(next, rows.readAtMs(), Duration.ZERO);
            JsonValue mark = marks.getOrDefault(symbol, row.at("none"));
            String token = contract.textOrNull("indexToken");
            BigDecimal hours = documented ? DOCUMENTED_HOURS : hours(row.textOrNull("period"));
            return builder.assetClass(contract.is("rwaType", "STOCK") ? AssetClass.EQUITY : null)
                    .rate(row.fundingRate("rate"))
                    .between(row.decimalOrNull("fundingRateFloor"), row.decimalOrNull("fundingRateCap"))
                    .intervalHours(hours, documented ? DOCUMENTED : ROW)
                    .next(next)
                    .mark(mark.price("price"))
                    .index(
                            indices == null || token == null
                                    ? null
                                    : indices.at(token).asPrice("index"));
        });
    }

    /** {@code 1000PEPE-SWAP-USDT}. The underlying shows that ID2 is ID, but never less than the multiplier in the symbol. */
    private static QuoteBuilder builder(String symbol, JsonValue contract) {
        Skip.unless(contract.is("status", "TRADING"), Skip.NOT_TRADING);
        Symbols.BaseQuote halves = Symbols.splitAtLast(symbol, '-');
        String base = Symbols.before("-SWAP", halves.base());
        Skip.unless(!base.startsWith("TBV_"), Skip.NOT_TRADING); // test contracts
        String underlying = contract.textOrNull("underlying");
        ContractType type = contract.flag("inverse") ? ContractType.INVERSE : ContractType.LINEAR;
        return QuoteBuilder.of(
                type, underlying == null || base.endsWith(underlying) ? base : underlying, halves.quote());
    }

    private static @Nullable BigDecimal hours(@Nullable String period) {
        return period != null && period.matches("\\d{1,2}H") ? new BigDecimal(period.replace("H", "")) : null;
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "msg");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.elements(),
                row -> row.text("symbol"),
                row -> Settled.fraction(row.millis("settleTime"), row.decimal("settleRate"))
                        .interval(hours(row.textOrNull("period"))));
    }
}
