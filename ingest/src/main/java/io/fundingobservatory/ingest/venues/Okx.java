package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;

import com.google.errorprone.annotations.CompileTimeConstant;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
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
import io.fundingobservatory.topics.records.AssetClass;
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
 *
 * <pre>{@code
 * funding-rate_ANY: {"instId": "BTC-USDT-SWAP", "instType": "SWAP",
 *   "fundingRate": "0.0000712345678901", "fundingTime": "1790006400000",
 *   "nextFundingTime": "1790035200000", "prevFundingTime": "1789977600000", "ts": "1789999997001"}
 * }</pre>
 */
final class Okx implements Venue {
    private static final String V5 = "https://www.okx.com/api/v5/";
    private static final Map<String, AssetClass> CLASSES =
            Map.of("1", AssetClass.CRYPTO, "3", AssetClass.EQUITY, "4", AssetClass.COMMODITY);

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("okx")
                .docs("https://www.okx.com/docs-v5/en/#public-data-rest-api-get-funding-rate", "2026-09-10")
                .rate(RateKind.ESTIMATE)
                .limit("www.okx.com", 10, 2)
                .request(get("funding-rate_ANY", V5 + "public/funding-rate?instId=ANY")
                        .rates())
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
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> listed = responses.rowsBy("instId", "instruments_SWAP", "data");
        Map<String, JsonValue> marks = responses.rowsBy("instId", "mark-price_SWAP", "data");
        Map<String, JsonValue> indices = new HashMap<>(responses.rowsBy("instId", "index-tickers_USDT", "data"));
        indices.putAll(responses.rowsBy("instId", "index-tickers_USD", "data"));

        rows.each(responses.rows("funding-rate_ANY", "data"), "instId", row -> {
            if (!row.is("instType", "SWAP")) {
                throw Skip.because(Skip.NOT_PERPETUAL);
            }
            JsonValue instrument = Skip.ifUnlisted(listed, row.text("instId"));
            if (!instrument.is("state", "live")) {
                throw Skip.because(Skip.NOT_TRADING);
            }
            String underlying = instrument.text("uly");
            BaseQuote pair = Symbols.splitAtLast(underlying, '-');
            Skip.unless(
                    !pair.base().startsWith("TEST"),
                    Skip.NOT_TRADING); // the exchange's own tests are live in its lists
            Long next = row.millis("fundingTime");
            Long previous = row.millis("prevFundingTime");
            QuoteBuilder quote = QuoteBuilder.of(type(instrument), pair.base(), pair.quote())
                    .assetClass(instrument.textOrNull("instCategory"), CLASSES);
            return (previous == null
                            ? quote.intervalBetween(next, row.millis("nextFundingTime"))
                            : quote.intervalBetween(previous, next))
                    .rate(row.fundingRate("fundingRate"))
                    .between(row.decimalOrNull("minFundingRate"), row.decimalOrNull("maxFundingRate"))
                    .next(next)
                    .mark(price(marks.get(row.text("instId")), "markPx"))
                    .index(price(indices.get(underlying), "idxPx"))
                    .venueTime(row.millis("ts"));
        });
    }

    private static ContractType type(JsonValue instrument) {
        return switch (instrument.text("ctType")) {
            case "linear" -> ContractType.LINEAR;
            case "inverse" -> ContractType.INVERSE;
            default -> throw Skip.because(Skip.UNKNOWN_STATE);
        };
    }

    private static @Nullable BigDecimal price(@Nullable JsonValue row, @CompileTimeConstant String field) {
        return row == null ? null : row.price(field);
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return VenueError.unless("0", body, "code", "msg", "50011");
    }

    /** {@code realizedRate} was charged; {@code fundingRate} is what had been forecast. */
    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.list("data"),
                row -> row.text("instId"),
                row -> Settled.fraction(row.millis("fundingTime"), row.fundingRate("realizedRate")));
    }
}
