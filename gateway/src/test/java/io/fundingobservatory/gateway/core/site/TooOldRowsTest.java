package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows that are older than 600 s are counted for as long as they are missing. The table of rows has forgotten them: its records were
 * deleted.
 */
class TooOldRowsTest extends SiteFixture {
    private static final long HOUR = 3_600_000;

    /** The state of gate: so many rows in its last successful poll and in its last complete one. */
    private static VenueStatus gate(long lastSuccessMs, String reason, long symbols, Long complete) {
        return new VenueStatus(
                        "gate",
                        Source.LIVE,
                        RateKind.ESTIMATE,
                        true,
                        "https://docs.example/gate",
                        NOW - 1_000,
                        lastSuccessMs,
                        null,
                        reason,
                        symbols,
                        Map.of("not_trading", 2L))
                .withCompleteSymbols(complete);
    }

    /** A snapshot with so many new and so many stale rows of gate. */
    private static Snapshot snapshot(VenueStatus gate, int fresh, int stale) {
        var rows = new ArrayList<>(rows());
        IntStream.range(0, fresh).forEach(i -> rows.add(Samples.rate("gate", "NEW" + i, "NEW" + i, NOW - 1_000)));
        IntStream.range(0, stale).forEach(i -> rows.add(Samples.rate("gate", "OLD" + i, "OLD" + i, NOW - 599_000)));
        Map<String, VenueStatus> statuses = new HashMap<>(statuses());
        statuses.put("gate", gate);
        return snapshot(NOW, rows, statuses);
    }

    private JsonNode missing(Snapshot snapshot, String address) throws IOException {
        return json(address, snapshot).at("/meta/missing");
    }

    private List<String> leftOut(Snapshot snapshot) throws IOException {
        return StreamSupport.stream(
                        missing(snapshot, "/api/v1/latest").path("symbols").spliterator(), false)
                .filter(left -> left.path("venue").asText().equals("gate"))
                .map(left -> left.path("reason").asText() + ' ' + left.path("count"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/latest", "/api/v1/latest?venues=gate,okx", "/api/v1/venues"})
    void silentVenueCountsItsRows(String address) throws IOException {
        JsonNode missing = missing(snapshot(gate(NOW - HOUR, null, 7, 7L), 0, 0), address);
        String venues = missing.path("venues").toString();
        String gate =
                "{\"venue\":\"gate\",\"reason\":\"every row is older than 600 s\",\"since_ms\":" + (NOW - HOUR) + ',';
        assertTrue(venues.contains(gate), venues);
        String symbols = missing.path("symbols").toString();
        assertTrue(symbols.contains("{\"venue\":\"gate\",\"reason\":\"removed_too_old\",\"count\":7}"), symbols);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                // The last success, why polls fail now, its rows, those of the complete one, new and stale rows that
                // are shown.
                "3600000 | HTTP 500                | 7   | 7    | 0   | 0 | removed_too_old 7",
                // The status of an earlier release; a partial last success.
                "3600000 | HTTP 500                | 7   | none | 0   | 0 | removed_too_old 7",
                "3600000 | HTTP 500                | 7   | 9    | 0   | 0 | removed_too_old 9",
                // A page of the list has not come for an hour; its rows have gone one by one.
                "1000    | rates: page 2: HTTP 500 | 4   | 7    | 4   | 3 | ''",
                "1000    | rates: page 2: HTTP 500 | 4   | 7    | 4   | 2 | removed_too_old 1",
                "1000    | rates: page 2: HTTP 500 | 4   | 7    | 4   | 0 | removed_too_old 3",
                // Rows on their way are not too old.
                "1000    | none                    | 7   | 7    | 6   | 0 | not_processed 1",
                "1000    | rates: page 2: HTTP 500 | 4   | 7    | 0   | 0 | removed_too_old 3",
                "300000  | HTTP 500                | 7   | 7    | 0   | 7 | ''",
                // Eight rows of each poll are in dead-letters: they are counted all the time, and not from poll to
                // poll.
                "0       | none                    | 428 | 428  | 420 | 0 | not_processed 8",
                "1000    | none                    | 428 | 428  | 420 | 0 | not_processed 8",
                "59000   | none                    | 428 | 428  | 420 | 0 | not_processed 8",
                "60000   | none                    | 428 | 428  | 428 | 3 | ''",
                // Rates of a partial poll may be ten minutes old.
                "60000   | rates: page 2: HTTP 500 | 4   | 4    | 2   | 0 | ''",
                "180001  | none                    | 428 | 428  | 420 | 0 | removed_too_old 8",
            })
    void countsRowsThatHaveGoneOrAreRejected(
            long agoMs, String reason, long rows, Long complete, int fresh, int stale, String counted)
            throws IOException {
        List<String> expected = counted.isEmpty() ? List.of("not_trading 2") : List.of("not_trading 2", counted);
        assertEquals(expected, leftOut(snapshot(gate(NOW - agoMs, reason, rows, complete), fresh, stale)));
    }

    @Test
    void noRejectedRowIsCountedTwice() throws IOException {
        var rows = new ArrayList<>(rows());
        rows.add(Samples.rate("gate", "NEW", "NEW", NOW - 1_000));
        rows.add(Samples.rate("gate", "GONE", "GONE", NOW - 600_001));
        Map<String, VenueStatus> statuses = new HashMap<>(statuses());
        statuses.put("gate", gate(NOW - 60_000, null, 4, 4L));
        assertEquals(
                List.of("not_trading 2", "removed_too_old 1", "not_processed 2"),
                leftOut(snapshot(NOW, rows, statuses)));
    }

    @Test
    void closedVenueHasNothingTooOld() throws IOException {
        List<ListedVenue> listed = ListedVenue.ALL.stream()
                .map(venue -> venue.id().equals("gate")
                        ? venue.closing("2026-09-21T14:00:00Z", "https://gate.example/end")
                        : venue)
                .toList();
        List<Rate> okx = List.of(Samples.rate("okx", "BTC-USDT-SWAP", "BTC", NOW - 1_000));
        Snapshot closed = new Snapshot(
                listed,
                NOW,
                NOW + 5_000,
                Map.of("okx", Samples.rows("okx", okx, NOW)),
                Map.of("gate", gate(NOW - HOUR, "HTTP 500", 7, 7L)),
                Map.of(),
                null);
        assertEquals(List.of(), leftOut(closed));
    }
}
