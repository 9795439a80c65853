package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.poll.guards.CommonFactorGuard;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.TestVenue;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a poll that a guard holds back, warns about or must let pass. */
class GuardedPollTest {
    private static final long NOW = 1_790_000_000_000L;

    private final CommonFactorGuard commonFactor = new CommonFactorGuard();

    private GuardedReader reader(String id, boolean trusted, @Nullable VenueStatus before) {
        return new GuardedReader(venue(id), Source.SIMULATED, new VenueGuards(id, commonFactor, trusted), before);
    }

    @Test
    void quarantinedPollKeepsFormerRows() throws IOException {
        for (String id : List.of("okx", "bybit", "gate", "mexc", "htx", "bingx")) {
            assertEquals(
                    Outcome.OK,
                    reader(id, false, null)
                            .read(rates(1, id), new SettlementGaps(), NOW, Duration.ZERO)
                            .outcome());
        }
        var builder = reader("binance", false, null);
        PollReport right = builder.read(rates(1, "binance"), new SettlementGaps(), NOW, Duration.ZERO);
        assertEquals(Outcome.OK, right.outcome());

        PollReport off = builder.read(rates(8, "binance"), new SettlementGaps(), NOW + 60_000, Duration.ZERO);
        assertEquals(Outcome.QUARANTINED, off.outcome());
        assertEquals(List.of(), off.quotes());
        assertEquals(right.status().lastSuccessMs(), off.status().lastSuccessMs());
        assertEquals(right.status().symbols(), off.status().symbols());
        assertEquals(NOW + 60_000, off.status().lastFailureMs());
        assertTrue(
                off.status()
                        .reason()
                        .matches("held back: its rates are \\d\\.\\d times the others' on most of 60 symbols"),
                off.status()::reason);

        // the venue was handed over and came back
        builder = reader("binance", false, off.status());
        PollReport back = builder.read(rates(8, "binance"), new SettlementGaps(), NOW + 90_000, Duration.ZERO);
        assertEquals(Outcome.QUARANTINED, back.outcome());

        PollReport again = builder.read(rates(1, "binance"), new SettlementGaps(), NOW + 120_000, Duration.ZERO);
        assertEquals(Outcome.OK, again.outcome());
        assertNotNull(again.status().lastSuccessMs());
    }

    @Test
    void halfAVenueAfterRestartIsPartial() throws IOException {
        PollReport whole =
                reader("binance", false, null).read(rates(1, "binance"), new SettlementGaps(), NOW, Duration.ZERO);
        PollReport half = reader("binance", false, whole.status())
                .read(rates(1, "binance", 30), new SettlementGaps(), NOW + 60_000, Duration.ZERO);
        assertEquals(Outcome.PARTIAL, half.outcome());
        assertEquals("fewer rows than usual: 30 of 60", half.status().reason());
        assertEquals(60, half.status().completeSymbols());
    }

    @ParameterizedTest
    @CsvSource({"3, false, its rates are , WARNED", "100, true, published because it is trusted, OVERRULED"})
    void publishesWarnedAndTrustedVenueWithReason(
            int factor, boolean trusted, String reason, GuardDecision.Action action) throws IOException {
        for (String id : List.of("okx", "bybit", "gate", "mexc", "htx", "bingx")) {
            reader(id, false, null).read(rates(1, id), new SettlementGaps(), NOW, Duration.ZERO);
        }
        PollReport published = reader("hyperliquid", trusted, null)
                .read(rates(factor, "hyperliquid"), new SettlementGaps(), NOW, Duration.ZERO);
        assertEquals(Outcome.OK, published.outcome());
        assertEquals(60, published.quotes().size());
        assertTrue(published.status().reason().startsWith(reason), published.status()::reason);
        assertTrue(published.status().reason().contains("times the others'"), published.status()::reason);
        assertEquals(action, published.decisions().getLast().action());
    }

    private static PollResponses rates(int factor, String id) throws IOException {
        return rates(factor, id, 60);
    }

    private static PollResponses rates(int factor, String id, int count) throws IOException {
        var random = new Random(id.hashCode());
        var market = new Random(5);
        var rows = new StringBuilder("{\"rows\":[");
        for (int i = 0; i < count; i++) {
            double rate = (0.00005 + 0.0004 * market.nextDouble()) * (0.9 + 0.2 * random.nextDouble()) * factor;
            rows.append(i == 0 ? "" : ",").append("{\"symbol\":\"A%d\",\"rate\":\"%.9f\"}".formatted(i, rate));
        }
        JsonValue body = JsonValue.parse(rows.append("]}").toString().getBytes(StandardCharsets.UTF_8));
        VenueResponses responses = new VenueResponses().add("rates", new VenueResponses.Response("", body, NOW));
        return new PollResponses(responses, true, NOW, 1, List.of());
    }

    private static Venue venue(String id) {
        return new TestVenue(VenueSpec.venue(id)
                .docs("https://docs.example", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit(TestVenue.HOST, 600, 60)
                .request(TestVenue.RATES)
                .build());
    }
}
