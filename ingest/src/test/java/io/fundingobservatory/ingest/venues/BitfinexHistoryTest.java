package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.backfill.WholeHistory;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.topics.records.SettledRate;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of 5,000 rows: one every ten minutes, 48 in a period of 8 hours, the first 31 s after the settlement. */
class BitfinexHistoryTest {
    private static final long STEP_MS = 600_000;
    private static final long PERIOD_MS = 8 * 3_600_000L;
    private static final int PAGE = 5_000;
    private static final long BEGIN = Instant.parse("2026-08-01T00:00:00Z").toEpochMilli();
    private static final Pattern SPAN = Pattern.compile("start=(\\d+)&end=(\\d+)&limit=5000");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pageMayEndOnAnyRowOfPeriod(boolean firstRowIsLate) throws IOException {
        for (int row = 0; row < PERIOD_MS / STEP_MS; row++) {
            long from = BEGIN + row * STEP_MS;
            long now = from + (PAGE + 200) * STEP_MS;
            var venue = new Bitfinex();
            var settled = new TreeMap<Long, BigDecimal>();
            for (Settlements page : WholeHistory.of(
                    venue, new VenueResponses(), "tBTCF0:USTF0", from, now, request -> page(request, firstRowIsLate))) {
                page.settled().forEach(rate -> assertSameAsBefore(settled, rate));
            }
            var expected = new TreeMap<Long, BigDecimal>();
            for (long at = (from / PERIOD_MS + 1) * PERIOD_MS; at <= now; at += PERIOD_MS) {
                expected.put(at, rate(at));
            }
            assertEquals(expected, settled, "from row " + row);
        }
    }

    private static void assertSameAsBefore(Map<Long, BigDecimal> settled, SettledRate rate) {
        BigDecimal before = settled.put(rate.settledMs(), rate.rate());
        assertEquals(Objects.requireNonNullElse(before, rate.rate()), rate.rate());
    }

    private static BigDecimal rate(long settledMs) {
        return BigDecimal.valueOf(settledMs / PERIOD_MS % 1_000, 6);
    }

    private static JsonValue page(VenueRequest request, boolean firstRowIsLate) throws IOException {
        var span = SPAN.matcher(request.url());
        assertEquals(true, span.find(), request.url());
        long from = Long.parseLong(span.group(1));
        long to = Long.parseLong(span.group(2));
        var rows = new StringJoiner(",", "[", "]");
        long at = Math.floorDiv(from, STEP_MS) * STEP_MS + 31_000;
        for (int row = 0; row < PAGE && at <= to; at += STEP_MS) {
            if (at < from) {
                continue;
            }
            long next = (at / PERIOD_MS + 1) * PERIOD_MS;
            boolean late = firstRowIsLate && at % PERIOD_MS < STEP_MS;
            rows.add("[%d,null,1,1,null,1,null,%d,0.5,2362,null,%s]"
                    .formatted(at, next, rate(late ? next - PERIOD_MS : next)));
            row++;
        }
        return JsonValue.parse(rows.toString().getBytes(StandardCharsets.UTF_8));
    }
}
