package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A venue that spells a field otherwise from one day to the next. */
class RenamedFieldTest extends VenuePollerFixture {
    private static VenueSpec specOf(Request request) {
        return spec().limit("api.example.com", 6000, 60).request(request).build();
    }

    private static VenueSpec withHistory() {
        return spec().limit("api.example.com", 6000, 60)
                .request(Request.get("rates", HOST + "rates"))
                .history(History.get("history_{}", HOST + "history?s={key}&from={from_ms}", History.Paging.NEWER, 2))
                .build();
    }

    @Test
    void reportsRateMissingInEveryRow() {
        exchange = request -> json(
                "{\"rows\":[{\"symbol\":\"A\",\"fundingRate\":\"0.0001\"},{\"symbol\":\"B\",\"fundingRate\":\"0.0001\"}]}");

        poll(specOf(Request.get("rates", HOST + "rates")), Duration.ofMinutes(3));

        PollReport last = reports.getLast();
        assertEquals(Outcome.FAILED, last.outcome());
        assertEquals(
                "no row could be used, a field may have been renamed: 2 no_funding_rate",
                last.status().reason());
        assertTrue(last.fieldMissing());
    }

    @Test
    void rateThatOneRowLacksIsNone() {
        exchange =
                request -> json("{\"rows\":[{\"symbol\":\"A\",\"rate\":\"0.0001\"},{\"symbol\":\"B\",\"rate\":null}]}");

        poll(specOf(Request.get("rates", HOST + "rates")), Duration.ofMinutes(3));

        assertNull(reports.getLast().status().reason());
        assertFalse(reports.getLast().fieldMissing());
    }

    @Test
    void reportsHistoryPageWithoutReadableRow() {
        exchange = request -> request.name().startsWith("history_")
                ? json("{\"history\":[{\"when\":%d,\"rate\":\"0.0001\"}]}".formatted(time.nowMs() - 3_600_000))
                : null;

        poll(withHistory(), Duration.ofMinutes(5));

        assertEquals(
                "2 of 2 contracts could not be read: history_{}: no row could be read, unreadable_settled_ms",
                reports.getLast().status().historyProblem());
        assertEquals(Set.of(), whole);
        assertTrue(bugs.contains("unreadable history_{}"), bugs::toString);
    }

    /** What was read before stays; the page that cannot be read does not count as nothing to do. */
    @Test
    void reportsLaterHistoryPageWithoutReadableRow() {
        exchange = request -> !request.name().startsWith("history_")
                ? null
                : times(request.name()).size() % 2 == 1
                        ? json("{\"history\":[{\"at\":%1$d,\"rate\":\"1\"},{\"at\":%2$d,\"rate\":\"1\"}]}"
                                .formatted(time.nowMs() - 7_200_000, time.nowMs() - 3_600_000))
                        : json("{\"history\":[{\"when\":1,\"rate\":\"1\"}]}");

        poll(withHistory(), Duration.ofMinutes(2));

        assertTrue(
                reports.stream()
                        .anyMatch(r -> "history_{}: no row could be read, unreadable_settled_ms"
                                .equals(r.status().historyProblem())),
                () -> reports.stream().map(r -> r.status().historyProblem()).toList() + "");
        assertEquals(4, settled.size(), settled::toString);
    }
}
