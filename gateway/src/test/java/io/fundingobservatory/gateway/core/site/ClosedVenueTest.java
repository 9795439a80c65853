package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What is served of a venue that has announced its end, and of one that a former release listed. */
class ClosedVenueTest extends SiteFixture {
    private static final String END = "2026-09-21T14:13:20Z";
    private static final String LINK = "https://okx.example/end";

    @Test
    void servesVenueUntilItsClosingInstant() throws IOException {
        assertEquals(NOW, Instant.parse(END).toEpochMilli());
        Snapshot before = closing("okx", NOW - 1);
        assertEquals(2, json("/api/v1/latest?venues=okx", before).path("rows").size());
        JsonNode row = venue(before, "okx");
        assertTrue(row.path("in_current_observation").asBoolean());
        assertTrue(row.path("reason").isNull());
        assertEquals(NOW, row.path("closed_at_ms").asLong(), "announced");
        assertEquals(LINK, row.path("closed_announcement").asText());
        assertEquals("2026-11-20", row.path("listed_since").asText());
        assertTrue(venue(before, "binance").path("closed_at_ms").isNull());
    }

    @Test
    void closedVenueHasNoRowsAndItsDate() throws IOException {
        Snapshot closed = closing("okx", NOW);
        JsonNode latest = json("/api/v1/latest?venues=okx", closed);
        assertEquals(0, latest.path("rows").size());
        JsonNode missing = latest.path("meta").path("missing");
        assertEquals("okx", missing.path("venues").path(0).path("venue").asText());
        assertEquals("closed", missing.path("venues").path(0).path("reason").asText());
        JsonNode row = venue(closed, "okx");
        assertEquals("closed", row.path("reason").asText());
        assertFalse(row.path("in_current_observation").asBoolean());
        assertEquals(0, row.path("symbols").asInt());
        assertEquals(NOW, row.path("closed_at_ms").asLong());
        assertEquals("2026-09-21T14:13:20Z", row.path("closed_at_utc").asText());
        assertEquals(LINK, row.path("closed_announcement").asText());
        assertTrue(json("/api/v1/latest", closed).path("rows").size() > 0, "the others go on");
    }

    /** Rows, a status and pairs of BitMEX are still in the topics of an installation that was upgraded. */
    @Test
    void servesNothingOfUnlistedVenue() throws IOException {
        Map<String, VenueRows> rows = new HashMap<>();
        for (String venue : List.of("okx", "bitmex", "binance")) {
            rows.put(venue, Samples.rows(venue, List.of(Samples.rate(venue, "XBT-" + venue, "BTC", NOW)), NOW));
        }
        Map<String, VenueStatus> statuses = new HashMap<>(statuses());
        statuses.put("bitmex", Samples.from(Samples.read("bitmex", NOW, 1, Map.of()), Source.SIMULATED));
        var legs = List.of("okx", "bitmex", "binance").stream()
                .map(venue -> Samples.leg(venue, "XBT-" + venue, venue.equals("okx") ? "0.01" : "0.02", 0, NOW))
                .toList();
        var refused = List.of("okx", "bitmex").stream()
                .map(venue -> new CarryRefusal(
                        "kraken", "PF_XBT", BigDecimal.ONE, venue, "XBT-" + venue, BigDecimal.TEN, "price_differs"))
                .toList();
        var table = Samples.table(
                "BTC",
                NOW,
                List.of(
                        Samples.pair(legs.get(0), legs.get(1), 30, null),
                        Samples.pair(legs.get(0), legs.get(2), 30, null),
                        Samples.pair(legs.get(1), legs.get(2), 4, "gap")),
                refused);
        Snapshot snapshot = Snapshots.of(NOW, NOW + 5_000, rows, statuses, Map.of(), Samples.ranking(List.of(table)));
        assertEquals(2, snapshot.rows());
        assertEquals(Source.LIVE, snapshot.source(), "of what is listed");
        for (String path : List.of(
                "/api/v1/latest?venues=all",
                "/api/v1/latest?assets=BTC&venues=all",
                "/api/v1/venues",
                "/api/v1/carry?venues=all",
                "/api/v1/carry?venues=all&assets=BTC")) {
            String body = json(path, snapshot).toString();
            assertFalse(body.contains("bitmex"), path + ": " + body);
        }
        JsonNode pairs = json("/api/v1/carry?venues=all", snapshot);
        assertEquals(1, pairs.path("complete_count").asInt(), pairs::toString);
        assertEquals(0, pairs.path("incomplete_count").asInt());
        assertEquals(1, pairs.path("refused_count").asInt());
    }

    private static Snapshot closing(String id, long nowMs) {
        List<ListedVenue> listed = ListedVenue.ALL.stream()
                .map(venue -> venue.id().equals(id) ? venue.closing(END, LINK) : venue)
                .toList();
        Map<String, VenueRows> held = new HashMap<>();
        for (String venue : List.of("okx", "binance")) {
            List<Rate> rates = List.of(
                    Samples.rate(venue, "BTC", "BTC", nowMs - 2_000), Samples.rate(venue, "ETH", "ETH", nowMs - 2_000));
            held.put(venue, Samples.rows(venue, rates, nowMs));
        }
        return new Snapshot(listed, nowMs, nowMs + 5_000, held, statuses(), Map.of(), null);
    }

    private JsonNode venue(Snapshot snapshot, String id) throws IOException {
        JsonNode rows = json("/api/v1/venues", snapshot).path("rows");
        return StreamSupport.stream(rows.spliterator(), false)
                .filter(row -> row.path("venue").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
