package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.Samples;
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
import java.util.stream.Stream;
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
        facts(row, """
                /in_current_observation true
                /reason null
                /closed_at_ms 1790000000000
                /closed_announcement "https://okx.example/end"
                /listed_since "2026-11-20"
                """);
        facts(venue(before, "binance"), "/closed_at_ms null");
    }

    @Test
    void closedVenueHasNoRowsAndItsDate() throws IOException {
        Snapshot closed = closing("okx", NOW);
        JsonNode latest = json("/api/v1/latest?venues=okx", closed);
        facts(latest, "/rows []\n/meta/missing/venues/0/venue \"okx\"\n/meta/missing/venues/0/reason \"closed\"");
        facts(venue(closed, "okx"), """
                /reason "closed"
                /in_current_observation false
                /symbols 0
                /closed_at_ms 1790000000000
                /closed_at_utc "2026-09-21T14:13:20Z"
                /closed_announcement "https://okx.example/end"
                """);
        assertTrue(json("/api/v1/latest", closed).path("rows").size() > 0, "the others go on");
    }

    /** Rows, a status and pairs of BitMEX are still in the topics of an installation that was upgraded. */
    @Test
    void servesNothingOfUnlistedVenue() throws IOException {
        List<Rate> rows = Stream.of("okx", "bitmex", "binance")
                .map(venue -> Samples.rate(venue, "XBT-" + venue, "BTC", NOW))
                .toList();
        Map<String, VenueStatus> statuses = new HashMap<>(statuses());
        statuses.put("bitmex", Samples.from(Samples.read("bitmex", NOW, 1, Map.of()), Source.SIMULATED));
        var legs = Stream.of("okx", "bitmex", "binance")
                .map(venue -> Samples.leg(venue, "XBT-" + venue, venue.equals("okx") ? "0.01" : "0.02", 0, NOW))
                .toList();
        var refused = Stream.of("okx", "bitmex")
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
        Snapshot snapshot = Snapshots.of(NOW, rows, statuses, Samples.ranking(List.of(table)));
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
        facts(pairs, "/complete_count 1\n/incomplete_count 0\n/refused_count 1");
    }

    private static Snapshot closing(String id, long nowMs) {
        List<ListedVenue> listed = ListedVenue.ALL.stream()
                .map(venue -> venue.id().equals(id) ? venue.closing(END, LINK) : venue)
                .toList();
        List<Rate> rates = Stream.of("okx", "binance")
                .flatMap(
                        venue -> Stream.of("BTC", "ETH").map(asset -> Samples.rate(venue, asset, asset, nowMs - 2_000)))
                .toList();
        return new Snapshot(listed, nowMs, nowMs + 5_000, Snapshots.rows(rates, nowMs), statuses(), Map.of(), null);
    }

    private JsonNode venue(Snapshot snapshot, String id) throws IOException {
        JsonNode rows = json("/api/v1/venues", snapshot).path("rows");
        return StreamSupport.stream(rows.spliterator(), false)
                .filter(row -> row.path("venue").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
