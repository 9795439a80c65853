package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.topics.ListedVenue;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowAgesTest {
    private static final long START = 1_790_000_000_000L;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final GatewayService.RowAges ages = new GatewayService.RowAges(meters);

    private void published(long atMs, long okxMs, long gateMs) {
        ages.published(new Snapshot(
                ListedVenue.ALL,
                atMs,
                atMs + 5_000,
                Map.of("okx", rows("okx", okxMs, atMs), "gate", rows("gate", gateMs, atMs)),
                Map.of(),
                Map.of(),
                null));
    }

    /** Two rows, of which one was read 40 s before the other. */
    private static VenueRows rows(String venue, long newestMs, long atMs) {
        return Samples.rows(
                venue,
                List.of(
                        Samples.rate(venue, "BTC", "BTC", newestMs),
                        Samples.rate(venue, "ETH", "ETH", newestMs - 40_000)),
                atMs);
    }

    @Test
    void measuresNewestRowOfVenueOnce() {
        published(START, START - 1_000, START - 2_000);
        published(START + 5_000, START - 1_000, START + 1_500);
        published(START + 10_000, START + 3_000, START + 1_500);
        DistributionSummary measured = meters.get("observatory.gateway.row.age").summary();
        assertEquals(2, measured.count());
        assertEquals(3.5 + 7, measured.totalAmount());
    }
}
