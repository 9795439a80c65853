package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.poll.guards.RowGuard;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.TestVenue;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.PollCounts;
import io.fundingobservatory.topics.records.RateRequest;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hours of polling in milliseconds: when a venue is polled, and what its responses yield. */
class VenuePollerTest extends VenuePollerFixture {
    @Test
    void pollsAtFixedRateFromFirstSeconds() {
        poll(TestVenue.plain(), Duration.ofMinutes(10));

        List<Long> at = times("rates");
        assertTrue(at.getFirst() < 5_000, "fills an empty cluster quickly");
        assertEquals(10, at.size(), 1);
        for (int i = 2; i < at.size(); i++) {
            assertEquals(60_000, at.get(i) - at.get(i - 1), "one poll in each interval");
        }
        assertTrue(reports.stream()
                .allMatch(r -> r.outcome() == Outcome.OK && r.quotes().size() == 2));
        assertNull(reports.getLast().status().reason());
    }

    /** Each venue has an offset of its own: forty-eight are not polled in one go. */
    @Test
    void spreadsPollsOverMinute() {
        int bucketMs = 5_000;
        for (int installation = 0; installation < 20; installation++) {
            int[] begun = new int[60_000 / bucketMs];
            for (int venue = 0; venue < ListedVenue.ALL.size(); venue++) {
                sent.clear();
                seed = installation * 1_000L + venue;
                poll(TestVenue.plain(), Duration.ofMinutes(4));
                assertTrue(times("rates").getFirst() < 5_000, "fills an empty cluster quickly");
                begun[(int) (times("rates").getLast() % 60_000) / bucketMs]++;
            }
            assertTrue(Arrays.stream(begun).allMatch(polls -> polls <= 14), () -> Arrays.toString(begun));
        }
    }

    @Test
    void requestsNothingFromItsClosingOn() {
        closesAfter = Duration.ofSeconds(330);
        symbols = List.of("A", "B", "C", "D", "E", "F");
        VenueSpec spec = spec().limit("api.example.com", 100, 60)
                .request(Request.get("rates", HOST + "rates"))
                .history(History.get("history_{}", HOST + "history?s={key}", History.Paging.NONE, 100))
                .build();

        poll(spec, Duration.ofMinutes(30));

        assertEquals(6, times("rates").size(), 1);
        assertTrue(sent.stream().anyMatch(request -> request.name().startsWith("history_")));
        assertTrue(sent.stream().allMatch(request -> request.atMs() < 330_000), sent::toString);
        assertTrue(time.elapsedMs() < 420_000, "it ended by itself");
    }

    @Test
    void overrunningPollSkipsStarts() {
        latency = Duration.ofSeconds(130);

        poll(TestVenue.plain(), Duration.ofMinutes(20));

        List<Long> at = times("rates");
        assertTrue(at.size() >= 6, at::toString);
        for (int i = 2; i < at.size(); i++) {
            assertEquals(180_000, at.get(i) - at.get(i - 1), "two starts are left out");
        }
    }

    @Test
    void fewRowsThanUsualArePublishedAsPartial() {
        exchange = request -> sent.size() < 6 ? rates("A", "B", "C", "D") : rates("A", "B", "C");
        poll(TestVenue.plain(), Duration.ofMinutes(6));
        assertEquals(Outcome.PARTIAL, reports.getLast().outcome());
        assertEquals(3, reports.getLast().quotes().size());
        assertEquals("fewer rows than usual: 3 of 4", reports.getLast().status().reason());
    }

    @Test
    void partialAndFailedPollsKeepCompleteCount() {
        exchange = request -> sent.size() < 6
                ? rates("A", "B", "C", "D")
                : sent.size() < 9 ? rates("A", "B", "C") : new FetchResult.Failed("no response", false);
        poll(TestVenue.plain(), Duration.ofMinutes(12));
        assertEquals(Outcome.FAILED, reports.getLast().outcome());
        before = reports.getLast().status();
        assertEquals(3, before.symbols());
        assertEquals(4, before.completeSymbols());
        reports.clear();
        poll(TestVenue.plain(), Duration.ofMinutes(2));
        assertEquals(4, reports.getLast().status().completeSymbols(), "also after a restart");
    }

    @Test
    void anExchangeAheadOfOurClockIsQuarantined() {
        exchange = request -> json("{\"rows\":[{\"symbol\":\"A\",\"rate\":0.1,\"time\":" + (time.nowMs() + 60_001)
                + "}," + "{\"symbol\":\"B\",\"rate\":0.1,\"time\":" + (time.nowMs() + 59_000) + "}]}");
        poll(TestVenue.plain(), Duration.ofSeconds(30));
        assertEquals(
                List.of("B"),
                reports.getLast().quotes().stream().map(q -> q.symbol()).toList());
        assertEquals(1L, reports.getLast().status().skipped().get(RowGuard.VENUE_TIME_AHEAD.toString()));
        assertEquals(1, reports.getLast().unusual(), "10 % per 8 hours is published and counted");
        assertEquals(
                0,
                new BigDecimal("0.1")
                        .compareTo(reports.getLast().quotes().getFirst().rate()));
    }

    @Test
    void countsPollsFailuresAndTimeWithoutRates() {
        exchange = request -> time.elapsedMs() < 330_000 ? null : new FetchResult.Failed("no response", false);
        poll(TestVenue.plain(), Duration.ofMinutes(20));
        long failed =
                reports.stream().filter(r -> r.outcome() == Outcome.FAILED).count();
        long newest = reports.stream()
                .flatMap(r -> r.quotes().stream())
                .mapToLong(q -> q.observedAtMs())
                .max()
                .orElseThrow();
        assertTrue(failed >= 14, failed + " failed polls");
        VenueStatus last = reports.getLast().status();
        assertEquals(
                new PollCounts.LastDay(reports.size(), failed, time.nowMs() - newest - 180_000),
                last.pollCounts().lastDay(time.nowMs()));
        assertEquals(List.of(new RateRequest("GET", HOST + "rates", null)), last.rateRequests());
    }

    @Test
    void ratesThatAreNotPublishedCountAsMissing() {
        published = reports::isEmpty;
        poll(TestVenue.plain(), Duration.ofMinutes(20));
        long stale = reports.getFirst().quotes().getFirst().observedAtMs() + 180_000;
        PollCounts counts = reports.getLast().status().pollCounts();
        assertEquals(
                new PollCounts.LastDay(reports.size(), reports.size() - 2L, counts.untilMs() - stale),
                counts.lastDay(counts.untilMs()),
                "the first was published, the last is not decided yet");
    }

    @Test
    void continuesTheCountsOfAnEarlierProcess() {
        long start = time.nowMs();
        long hourAgo = start - 3_600_000;
        before = new VenueStatus("gate", Source.SIMULATED, null, false, null, null, null, null, null, null, Map.of())
                .withPollCounts(PollCounts.since(hourAgo).with(hourAgo, hourAgo));
        poll(TestVenue.plain(), Duration.ofMinutes(5));
        PollCounts counts = reports.getFirst().status().pollCounts();
        assertEquals(hourAgo, counts.sinceMs());
        assertEquals(
                new PollCounts.LastDay(2, 0, counts.untilMs() - hourAgo - 180_000), counts.lastDay(counts.untilMs()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1, 30 * 24, -31 * 24})
    void clockJumpIsNoOutage(long hours) {
        onReport = () -> {
            boolean wrong = time.elapsedMs() > 480_000 && time.elapsedMs() < 600_000;
            time.setAhead(wrong ? Duration.ofHours(hours) : Duration.ZERO);
        };
        poll(TestVenue.plain(), Duration.ofMinutes(20));
        PollCounts counts = reports.getLast().status().pollCounts();
        assertEquals(0, counts.lastDay(time.nowMs()).missingMs(), counts::toString);
        assertEquals(reports.getFirst().status().pollCounts().sinceMs(), counts.sinceMs());
        assertNull(counts.presence(time.nowMs()), "30 days have not been counted");
    }

    @Test
    void throwingHeaderCostsOnePollNotPoller() {
        VenueSpec spec = spec().limit("api.example.com", 600, 60)
                .request(Request.get("rate_{}", HOST + "rate?s={}").each(responses -> {
                    throw new IllegalStateException("bug");
                }))
                .build();
        poll(spec, Duration.ofMinutes(5));
        assertTrue(reports.size() >= 4);
        assertEquals(
                "its poll broke off: IllegalStateException",
                reports.getLast().status().reason());
    }

    @Test
    void throwingReaderKeepsReasonsOfRequests() {
        exchange = request -> request.name().equals("index") ? new FetchResult.Failed("HTTP 404", false) : null;
        poll(throwing(usual().build()), Duration.ofMinutes(2));
        assertEquals(
                "its poll broke off: IllegalStateException; index: HTTP 404",
                reports.getLast().status().reason());
    }

    @Test
    void brokenPollWithoutRequestIsNoAttempt() {
        VenueSpec spec = spec().limit("api.example.com", 600, 60)
                .request(Request.get("rate_{}", HOST + "rate?s={}")
                        .everyMinutes(30)
                        .each(responses -> List.of("A")))
                .build();
        poll(throwing(spec), Duration.ofMinutes(10));
        assertTrue(reports.size() >= 9, "polls: " + reports.size());
        assertEquals(
                sent.size(),
                reports.stream()
                        .map(report -> report.status().lastAttemptMs())
                        .distinct()
                        .count(),
                "fewer than polls");
    }

    private static Venue throwing(VenueSpec spec) {
        return new TestVenue(spec, (responses, rows) -> {
            throw new IllegalStateException("bug");
        });
    }

    @Test
    void reportsFailureAfterPollAndContinues() {
        onReport = () -> {
            if (reports.size() == 3) {
                throw new ArithmeticException("/ by zero");
            }
        };
        poll(TestVenue.plain(), Duration.ofMinutes(10));
        assertTrue(reports.size() >= 9, "polls: " + reports.size());
        assertEquals(List.of("publish / by zero"), bugs);
    }
}
