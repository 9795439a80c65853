package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.TestVenue;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each kind of refusal costs: never more than what it concerns, and it is always told. */
class VenueErrorsTest extends VenuePollerFixture {
    @BeforeEach
    void respondLate() {
        latency = Duration.ofMillis(100);
    }

    static Stream<FetchResult> faults() {
        return Stream.of(
                new FetchResult.Throttled("HTTP 429", Duration.ofSeconds(150)),
                new FetchResult.Banned("HTTP 451", null),
                new FetchResult.Failed("HTTP 404", false),
                new FetchResult.Failed("HTTP 520", true),
                new FetchResult.NoResponse("no whole response within 10 s"),
                new FetchResult.Unreadable("HTML instead of JSON"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void failedPollPublishesNothingAndKeepsStatus(FetchResult fault) {
        exchange = request -> time.elapsedMs() < 270_000 || time.elapsedMs() > 600_000 ? null : fault;
        poll(TestVenue.plain(), Duration.ofMinutes(15));
        PollReport good = reports.get(3);
        PollReport failed = reports.stream()
                .dropWhile(r -> r.outcome() == Outcome.OK)
                .findFirst()
                .orElseThrow();
        assertEquals(Outcome.FAILED, failed.outcome());
        assertEquals("rates: " + fault.reason(), failed.status().reason());
        assertEquals(List.of(), failed.quotes());
        assertEquals(good.status().symbols(), failed.status().symbols());
        assertEquals(good.status().skipped(), failed.status().skipped());
        assertTrue(failed.status().lastSuccessMs() < failed.status().lastFailureMs());
        assertEquals(Outcome.OK, reports.getLast().outcome());
    }

    @Test
    void requestsNothingBeforeRetryAfterEnds() {
        exchange = request ->
                sent.size() == 2 ? new FetchResult.Throttled("HTTP 429", Duration.ofSeconds(150)) : rates("A");

        poll(TestVenue.plain(), Duration.ofMinutes(8));

        List<Long> at = times("rates");
        assertTrue(at.get(2) - at.get(1) >= 150_000, at::toString);
        assertTrue(at.get(2) - at.get(1) <= 210_000, at::toString);
        assertEquals(1, outcomes.get("rates THROTTLED"));
        assertEquals(at.size() - 1, outcomes.get("rates ANSWERED"));
        PollReport throttled = reports.get(1);
        assertEquals(Outcome.FAILED, throttled.outcome());
        assertEquals("rates: HTTP 429", throttled.status().reason());
        assertNotNull(throttled.status().lastSuccessMs(), "the last success is still known");
        assertTrue(
                reports.get(2).status().reason().contains("next request in"),
                reports.get(2).status().reason());
        assertEquals(
                throttled.status().lastAttemptMs(), reports.get(2).status().lastAttemptMs(), "that was no attempt");
    }

    @Test
    void retryAfterOfZeroMeansOneInterval() {
        exchange = request -> request.name().equals("rates") && times("rates").size() == 3
                ? new FetchResult.Throttled("HTTP 429", Duration.ZERO)
                : null;

        poll(usual().build(), Duration.ofMinutes(10));

        List<Long> at = times("rates");
        long next = sent.stream()
                .mapToLong(Sent::atMs)
                .filter(ms -> ms > at.get(2))
                .min()
                .orElseThrow();
        assertTrue(next - at.get(2) >= 60_000, "nothing goes out to the host before: " + (next - at.get(2)));
    }

    @Test
    void bannedSideEndpointPausesAloneForLonger() {
        exchange = request -> request.name().equals("index") ? new FetchResult.Banned("HTTP 403", null) : null;

        poll(usual().build(), Duration.ofHours(5));

        assertEquals(300, times("rates").size(), 2, "the rates are requested every minute");
        assertTrue(reports.stream().allMatch(r -> r.quotes().size() == 2));
        List<Long> at = times("index");
        assertTrue(at.size() >= 8, () -> "it is requested again after each pause: " + at);
        long gap = 120_000;
        for (int i = 1; i < at.size(); i++) {
            assertTrue(at.get(i) - at.get(i - 1) >= gap, at::toString);
            gap = Math.min(3_600_000, gap * 2);
        }
        assertTrue(reports.getLast().status().reason().startsWith("index: HTTP 403"));
        assertEquals(Set.of("index"), reports.getLast().status().closedUntilMs().keySet());
        assertEquals(2, whole.size(), "nor does history suffer");
    }

    @Test
    void banOfRatesRequestPausesVenue() {
        exchange = request -> request.name().equals("rates") ? new FetchResult.Banned("HTTP 403", null) : null;

        poll(usual().build(), Duration.ofHours(2));

        List<Long> at = times("rates");
        assertTrue(at.size() >= 5, () -> "it is requested again after each pause: " + at);
        for (int i = 1; i < at.size(); i++) {
            long from = at.get(i - 1);
            long until = at.get(i);
            long pause = Math.min(3_600_000, 120_000L << (i - 1));
            assertTrue(until - from >= pause && until - from <= pause + 60_000, at::toString);
            assertEquals(
                    List.of(),
                    sent.stream()
                            .filter(a -> a.atMs() > from && a.atMs() < until)
                            .toList());
        }
        assertTrue(reports.getLast().status().closedUntilMs().containsKey("api.example.com"));
    }

    @Test
    void aBanOutlivesTheProcess() {
        exchange = request -> new FetchResult.Banned("HTTP 418", Duration.ofHours(24));
        poll(usual().build(), Duration.ofMinutes(3));
        VenueStatus last = reports.getLast().status();
        long until = last.closedUntilMs().get("api.example.com");
        long first = time.nowMs() - time.elapsedMs() + sent.getFirst().atMs();
        assertTrue(Math.abs(until - first - 24 * 3_600_000L) < 1_000, until + " from " + first);

        sent.clear();
        exchange = request -> null;
        before = last;
        poll(usual().build(), Duration.ofHours(23));
        assertEquals(List.of(), sent, "nothing is requested before the ban ends");
        assertTrue(responses.backoffs().isBanned(), "an operator sees it after the restart as before it");
        assertNotNull(reports.getLast().status().reason());

        poll(usual().build(), Duration.ofHours(25));
        assertTrue(!sent.isEmpty(), "and then it is");
    }

    @Test
    void retriesRatesOnceAfterLostConnection() {
        exchange = request -> request.name().equals("rates") && times("rates").size() == 4
                ? new FetchResult.NoResponse("connection reset")
                : null;

        poll(usual().build(), Duration.ofMinutes(10));

        List<Long> at = times("rates");
        assertEquals(100, at.get(4) - at.get(3), "the second try goes out at once");
        assertTrue(reports.stream().allMatch(r -> r.outcome() == PollReport.Outcome.OK), "no minute is lost");
        assertEquals(1, outcomes.get("rates FAILED"));
    }

    @Test
    void retriesNeitherSecondLossNorVenueError() {
        exchange = request -> request.name().equals("rates")
                ? new FetchResult.NoResponse("connection reset")
                : new FetchResult.Failed("HTTP 404", false);
        poll(usual().build(), Duration.ofSeconds(30));
        assertEquals(2, times("rates").size());
        assertEquals(1, times("index").size());
    }

    /**
     * A harmful body arrived whole. It is not requested twice in a second, which some limits count as one
     * request too many.
     */
    @Test
    void doesNotRetryUnreadableResponseAtOnce() {
        exchange = request -> new FetchResult.Unreadable("unreadable response: more than 1000000 values");
        poll(usual().build(), Duration.ofMinutes(5));
        List<Long> at = times("rates");
        assertTrue(at.size() >= 4, at::toString);
        for (int i = 1; i < at.size(); i++) {
            assertTrue(at.get(i) - at.get(i - 1) >= 15_000, at::toString);
        }
        assertEquals(at.size(), outcomes.get("rates FAILED"));
        assertTrue(reports.getLast().status().reason().contains("more than 1000000 values"));
    }
}
