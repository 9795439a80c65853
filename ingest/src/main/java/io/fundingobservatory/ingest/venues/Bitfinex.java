package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

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
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bitfinex Derivatives. Rows are lists whose positions count; old ones end early.
 *
 * <p>[12] was fixed when the last period closed and is exchanged at [8]; [9] is only a preview of the settlement after that. [15] is
 * mark and index in one, so the index stays unknown ([4] is Bitfinex's own spot price). Everything settles every 8 hours.
 *
 * <p>A row stamped less than a minute after a settlement may have the new instant with the old rate. Recordings show the new rate
 * 54 s after it, and nothing earlier. Such a row is left out.
 *
 * <pre>{@code
 * status_deriv: ["tBTCF0:USTF0", 1789999983000, null, 64014.467255465, 64010.5, null,
 *   64745826.62409877, null, 1790006400000, 0.00016169, 2362, null, 0.00016712]
 * }</pre>
 */
final class Bitfinex implements Venue {
    private static final String STATUS = "https://api-pub.bitfinex.com/v2/status/deriv";
    private static final BigDecimal HOURS = BigDecimal.valueOf(8);
    private static final long PERIOD_MS = Duration.ofHours(8).toMillis();
    private static final long UNSETTLED_MS = Duration.ofMinutes(1).toMillis();
    private static final int PAGE_ROWS = 5_000;

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("bitfinex")
                .docs("https://docs.bitfinex.com/reference/rest-public-derivatives-status", "2026-09-23")
                .rate(RateKind.FIXED)
                .limit("api-pub.bitfinex.com", 90, 60)
                .request(get("status_deriv", STATUS + "?keys=ALL"))
                // a full page, 5,000 rows of a minute each, holds at least five whole periods
                .history(History.get(
                        "status_deriv_hist_{}",
                        STATUS + "/{key}/hist?start={from_ms}&end={to_ms}&limit=" + PAGE_ROWS + "&sort=1",
                        Paging.NEWER,
                        5))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        List<JsonValue> status = responses.rows("status_deriv").stream()
                .map(row -> row.named(
                        "key", "time", "", "", "", "", "", "", "next", "", "", "", "current_funding", "", "", "mark"))
                .toList();
        rows.each(status, "key", row -> {
            Symbols.BaseQuote halves = Symbols.splitAtLast(row.text("key"), ':');
            String base = Symbols.before("F0", halves.base());
            String quote = Symbols.before("F0", halves.quote());
            if (!base.startsWith("t") || base.startsWith("tTEST") || quote.startsWith("TEST")) {
                throw Skip.because(Skip.NOT_TRADING); // paper trading
            }
            BigDecimal rate = row.fundingRate("current_funding");
            Long next = row.millis("next");
            Long time = row.millis("time");
            Skip.ifSettlementPassed(next, rows.readAtMs(), Duration.ZERO);
            Skip.unless(!isUnsettled(time, next), Skip.SETTLEMENT_PASSED);
            return QuoteBuilder.linear(base.substring(1), currency(quote))
                    .rate(rate)
                    .intervalHours(HOURS, DOCUMENTED)
                    .next(next)
                    .mark(row.price("mark"))
                    .venueTime(time);
        });
    }

    /** Whether the row was stamped within a minute after the settlement before the one that it names. */
    private static boolean isUnsettled(@Nullable Long time, @Nullable Long next) {
        return time != null && next != null && time - (next - PERIOD_MS) < UNSETTLED_MS;
    }

    /** The house codes of the two Tether currencies. */
    private static String currency(String code) {
        return switch (code) {
            case "UST" -> "USDT";
            case "EUT" -> "EURT";
            default -> code;
        };
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (!body.isArray()) {
            return VenueError.ifCoded(body, "error", "message", "ERR_RATE_LIMIT");
        }
        JsonValue error = body.named("error", "code", "message");
        return error.is("error", "error") ? VenueError.ifCoded(error, "code", "message") : null;
    }

    /**
     * One row a minute, without the key, each with the next settlement. The rate is constant between two settlements but for the first
     * minute, so the last row of each counts. A full page may end within a period: its last settlement is read with the next page.
     */
    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        var lastMinutes = new LinkedHashMap<String, JsonValue>();
        List<JsonValue> rows = body.elements();
        for (JsonValue row : rows) {
            JsonValue minute = row.named("time", "", "", "", "", "", "", "next", "", "", "", "current_funding");
            lastMinutes.put(String.valueOf(minute.textOrNull("next")), minute);
        }
        if (rows.size() >= PAGE_ROWS) {
            lastMinutes.pollLastEntry();
        }
        settlements.each(lastMinutes.values(), row -> {
            Skip.unless(!isUnsettled(row.millis("time"), row.millis("next")), Skip.NOT_SETTLED_YET);
            return Settled.fraction(row.millis("next"), row.fundingRate("current_funding"))
                    .interval(HOURS);
        });
    }
}
