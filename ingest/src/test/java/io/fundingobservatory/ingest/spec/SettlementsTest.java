package io.fundingobservatory.ingest.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.SettledRate;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A settlement is what has been charged as funding; every row counts towards a full page. */
class SettlementsTest {
    private static final long READ_AT = Instant.parse("2026-08-27T17:21:56Z").toEpochMilli();
    private static final VenueSpec HEADER = VenueSpec.venue("kraken")
            .docs("https://docs.example", "2026-09-15")
            .rate(RateKind.FIXED)
            .limit("api.example.com", 1, 1)
            .request(Request.get("rates", "https://api.example.com"))
            .build();

    private static Settlements read(String rows) throws IOException {
        var settlements = new Settlements(HEADER, "PF_XBTUSD", READ_AT);
        settlements.each(
                JsonValue.parse(rows.getBytes(StandardCharsets.UTF_8)).elements(),
                row -> Settled.fraction(row.iso("t"), row.decimal("r")));
        return settlements;
    }

    @Test
    void futureInstantIsNeitherSettlementNorSkip() throws IOException {
        Settlements read = read("""
                [{"t":"2026-08-27T17:00:00Z","r":0.00001},{"t":"2026-08-27T18:00:00Z","r":0.000001705329166667}]
                """);
        assertEquals(
                List.of(Instant.parse("2026-08-27T17:00:00Z").toEpochMilli()),
                read.settled().stream().map(SettledRate::settledMs).toList());
        assertEquals(List.of(), read.skipped());
        assertEquals(2, read.rows());
    }

    @Test
    void countsInstantWeeksAheadAsUnreadable() throws IOException {
        Settlements read = read("[{\"t\":\"2026-09-27T17:00:00Z\",\"r\":0.00001}]");
        assertEquals(List.of(), read.settled());
        assertEquals(List.of(new Rows.Skipped("PF_XBTUSD", SkipReason.of("unreadable_settled_ms"))), read.skipped());
    }

    @Test
    void contradictorySettlementIsNone() throws IOException {
        Settlements read = read("""
                [{"t":"2026-08-27T16:00:00Z","r":0.00001},{"t":"2026-08-27T16:00:00Z","r":0.00002},
                 {"t":"2026-08-27T15:00:00Z","r":0.00003},{"t":"2026-08-27T15:00:00Z","r":0.00003}]
                """);
        assertEquals(
                List.of(new BigDecimal("0.00003")),
                read.settled().stream().map(SettledRate::rate).toList());
        assertEquals(List.of(new Rows.Skipped("PF_XBTUSD", Skip.CONTRADICTED)), read.skipped());
        assertEquals(4, read.rows());
    }
}
