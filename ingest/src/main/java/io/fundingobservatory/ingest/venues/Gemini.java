package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Symbols;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gemini, perpetuals in GUSD and USDC, one request for each contract.
 *
 * <p>Funding is an amount: {@code estimatedFundingAmount} is the payment of one base coin in the quote
 * currency. Divided by the mark price of {@code riskstats} it is a rate. The gap between {@code
 * fundingTimestampMilliSecs} and {@code nextFundingTimestamp} is the interval. For 10 to 20 seconds after
 * each hour these fields still belong to the settlement just passed; such a row is skipped. Settled amounts
 * are published only as spreadsheets, so no history is declared.
 *
 * <p>13 contracts cost 26 requests a poll, a little more than a minute at a fifth of the published limit.
 *
 * <pre>{@code
 * fundingamount_btcusdcperp: {"fundingTimestampMilliSecs": 1789999200000,
 *   "nextFundingTimestamp": 1790002800000, "estimatedFundingAmount": 4.47479}
 * }</pre>
 */
final class Gemini implements Venue {
    private static final String V1 = "https://api.gemini.com/v1/";
    private static final String ENDING = "PERP";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("gemini")
                .docs("https://docs.gemini.com/rest/derivatives", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("api.gemini.com", 120, 60)
                .request(get("symbols", V1 + "symbols").hourly())
                .request(get("details_{}", V1 + "symbols/details/{}").daily().each(Gemini::perpetuals))
                .request(get("riskstats_{}", V1 + "riskstats/{}").each(Gemini::perpetuals))
                .request(
                        get("fundingamount_{}", V1 + "fundingamount/{}").rates().each(Gemini::perpetuals))
                .build();
    }

    private static List<String> perpetuals(VenueResponses responses) {
        return responses.rows("symbols").stream()
                .map(JsonValue::asText)
                .filter(symbol ->
                        symbol != null && symbol.toUpperCase(Locale.ROOT).endsWith(ENDING))
                .toList();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        Map<String, JsonValue> details = responses.bodiesByKey("details_{}");
        Map<String, JsonValue> risks = responses.bodiesByKey("riskstats_{}");
        for (Response response : responses.all("fundingamount_{}")) {
            rows.each(Map.of(response.key(), response.body()), (symbol, row) -> {
                JsonValue detail = details.get(symbol);
                JsonValue risk = risks.get(symbol);
                if ((detail != null && !detail.is("product_type", "swap"))
                        || (risk != null && !risk.is("product_type", "PerpetualSwapContract"))) {
                    throw Skip.because(Skip.NOT_PERPETUAL);
                }
                if (detail != null && !detail.is("status", "open", "post_only", "limit_only")) {
                    throw Skip.because(Skip.NOT_TRADING);
                }
                Symbols.BaseQuote pair =
                        Symbols.cutQuote(Symbols.before(ENDING, symbol.toUpperCase(Locale.ROOT)), "GUSD", "USDC");
                Long next = row.millis("nextFundingTimestamp");
                Skip.ifSettlementPassed(next, response.readAtMs(), Duration.ZERO);
                return QuoteBuilder.linear(pair.base(), pair.quote())
                        .rate(row.fundingRate("estimatedFundingAmount"), RateUnit.QUOTE_PER_COIN_AT_MARK)
                        .intervalBetween(row.millis("fundingTimestampMilliSecs"), next)
                        .next(next)
                        .mark(risk == null ? null : risk.price("mark_price"))
                        .index(risk == null ? null : risk.price("index_price"))
                        .observedAt(response.readAtMs());
            });
        }
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.is("result", "error")
                ? new VenueError(
                        body.textOrNull("reason") + " " + body.textOrNull("message"), body.is("reason", "RateLimit"))
                : null;
    }
}
