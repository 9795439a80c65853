package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What refusals of settled history cost: the contract or the pool that they concern. */
class RefusedHistoryTest extends VenuePollerFixture {
    private static final String HISTORY = "history_{}";
    private static final long HOUR = 3_600_000;
    private static final long BEGUN = new VirtualTime(Duration.ZERO).nowMs();

    @BeforeEach
    void respondLate() {
        latency = Duration.ofMillis(100);
    }

    @Test
    void refusedContractsDoNotBlockOthers() {
        symbols = IntStream.range(0, 300).mapToObj(i -> "S" + i).toList();
        exchange = request ->
                request.name().matches("history_S\\d?[05]") ? new FetchResult.Failed("refused: 10001", false) : null;

        poll(usual().build(), Duration.ofMinutes(30));

        long refused = symbols.stream().filter(s -> s.matches("S\\d?[05]")).count();
        assertEquals(20, refused);
        assertEquals(280, whole.size(), "all the others");
        assertEquals(
                "20 of 300 contracts could not be read: history_{}: refused: 10001",
                reports.getLast().status().historyProblem());
        assertRead(280, 280);
        assertTrue(outcomes.get("history_{} REFUSED") >= 20, outcomes::toString);
        List<Long> at = times("history_S0");
        assertTrue(at.size() <= 3, "requested again after ten and twenty minutes: " + at);
    }

    static Stream<FetchResult> refusals() {
        return Stream.of(
                new FetchResult.Banned("HTTP 403", null),
                new FetchResult.Failed("HTTP 405", false),
                new FetchResult.Failed("HTTP 500", true),
                new FetchResult.NoResponse("no whole response within 10 s"),
                new FetchResult.Unreadable("unreadable response: nested too deep"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusedHistoryIsReadLaterWithoutCostingRates(FetchResult refusal) {
        exchange = request -> request.name().startsWith("history_") && time.elapsedMs() < 540_000 ? refusal : null;
        poll(usual().build(), Duration.ofHours(2));
        assertEquals(120, times("rates").size(), 2);
        assertTrue(reports.stream().allMatch(r -> r.outcome() == PollReport.Outcome.OK));
        assertTrue(reports.stream()
                .anyMatch(r -> String.valueOf(r.status().historyProblem()).contains(refusal.reason())));
        assertEquals(Set.of("A", "B"), whole);
        assertNull(reports.getLast().status().historyProblem());
    }

    private void assertRead(long done, long total) {
        assertEquals(done, reports.getLast().status().historyDone());
        assertEquals(total, reports.getLast().status().historyTotal());
    }

    /** Pairs would wait for it for ever. */
    @Test
    void refusingAllContractsEndsTheReading() {
        exchange = request ->
                request.name().startsWith("history_") ? new FetchResult.Failed("refused: 10001", false) : null;

        poll(usual().build(), Duration.ofMinutes(5));

        assertRead(0, 0);
    }

    /** A filter in front of the exchange may refuse one name. Its pause is the endpoint's, and the next request is another contract's. */
    @Test
    void aBannedContractDoesNotBlockOthers() {
        symbols = IntStream.range(0, 10).mapToObj(i -> "S" + i).toList();
        exchange = request -> request.name().equals("history_S3") ? new FetchResult.Banned("HTTP 403", null) : null;

        poll(usual().build(), Duration.ofHours(3));

        assertEquals(9, whole.size(), whole::toString);
        assertEquals(
                "1 of 10 contracts could not be read: history_{}: HTTP 403",
                reports.getLast().status().historyProblem());
    }

    @Test
    void rowsOfAnotherContractAreNoProgress() {
        symbols = List.of("A", "B");
        exchange = request -> request.name().equals("history_A") ? foreign() : null;

        poll(usual().build(), Duration.ofMinutes(30));

        assertTrue(settled.stream().noneMatch(of -> of.startsWith("OTHER ")), settled::toString);
        assertTrue(settled.stream().noneMatch(of -> of.startsWith("A ")), settled::toString);
        assertNull(newest.get("A"), "nothing of it was read");
    }

    private FetchResult foreign() {
        return json("{\"history\":[{\"symbol\":\"OTHER\",\"at\":%d,\"rate\":\"0.0001\"}]}".formatted(BEGUN - HOUR));
    }

    @Test
    void secondLostConnectionEndsBackfillOfMinute() {
        symbols = IntStream.range(0, 100).mapToObj(i -> "S" + i).toList();
        exchange = request -> request.name().startsWith("history_") && time.elapsedMs() < 300_000
                ? new FetchResult.NoResponse("no whole response within 10 s")
                : null;

        poll(usual().build(), Duration.ofMinutes(40));

        long early = sent.stream()
                .filter(a -> a.name().startsWith("history_") && a.atMs() < 300_000)
                .count();
        assertTrue(early <= 12, "two a minute: " + early);
        assertEquals(100, whole.size());
        assertNull(reports.getLast().status().historyProblem());
    }

    @Test
    void failingContractsDoNotStopBackfillOfOthers() {
        symbols =
                IntStream.range(0, 100).mapToObj(i -> (i < 60 ? "A" : "S") + i).toList();
        exchange = request -> request.name().startsWith("history_A") ? new FetchResult.Failed("HTTP 500", true) : null;

        poll(usual().build(), Duration.ofMinutes(20));

        assertEquals(40, whole.size(), "every contract that the server can read");
        assertTrue(times("history_A0").size() <= 2, "backed off for ten minutes: " + times("history_A0"));
        assertEquals(
                "60 of 100 contracts could not be read: history_{}: HTTP 500",
                reports.getLast().status().historyProblem());
    }

    /** Settlements four hours apart contradict the documented eight. */
    @Test
    void delistedContractIsForgottenAfterDay() {
        Duration away = Duration.ofHours(26);
        exchange = request -> {
            boolean listed = time.elapsedMs() < HOUR || time.elapsedMs() > HOUR + away.toMillis();
            if (request.name().equals("rates")) {
                return listed ? rates("A", "B") : rates("A");
            }
            return request.name().equals("history_B")
                    ? json("{\"history\":[{\"at\":%d,\"rate\":\"0.0001\"},{\"at\":%d,\"rate\":\"0.0001\"}]}"
                            .formatted(BEGUN - HOUR, BEGUN - 5 * HOUR))
                    : json("{\"history\":[]}");
        };

        poll(usual().build(), away.plusHours(1).plusMinutes(5));

        List<PollReport> withB =
                reports.stream().filter(r -> r.quotes().size() == 2).toList();
        long relisted = withB.stream()
                .map(r -> r.status().skipped())
                .dropWhile(Map::isEmpty)
                .dropWhile(skipped -> !skipped.isEmpty())
                .count();
        assertTrue(
                relisted > 0,
                () -> "its settlements are read again before they contradict its interval: "
                        + withB.stream().map(r -> r.status().skipped().size()).toList());
        assertTrue(
                times("history_B").stream()
                        .anyMatch(at -> at > HOUR + away.toMillis() && at < 2 * HOUR + away.toMillis()),
                "its history is read again at once: " + times("history_B"));
    }

    @Test
    void throttledHistoryPoolDoesNotPauseRates() {
        VenueSpec spec = spec().limit("api.example.com", 6000, 60)
                .pool("history", 600, 60)
                .request(Request.get("rates", HOST + "rates"))
                .history(History.get(HISTORY, HOST + "history?s={key}", History.Paging.NONE, 100)
                        .pool("history"))
                .build();
        exchange = request -> request.name().startsWith("history_")
                ? new FetchResult.Throttled("HTTP 429", Duration.ofMinutes(20))
                : null;

        poll(spec, Duration.ofMinutes(60));

        assertEquals(60, times("rates").size(), 2);
        assertTrue(reports.stream().allMatch(r -> r.outcome() == PollReport.Outcome.OK));
        List<Long> atMs = sent.stream()
                .filter(a -> a.name().startsWith("history_"))
                .map(Sent::atMs)
                .toList();
        assertTrue(atMs.size() >= 2 && atMs.size() <= 3, atMs::toString);
        assertTrue(atMs.get(1) - atMs.get(0) >= 20 * 60_000, atMs::toString);
        assertTrue(reports.getLast().status().historyProblem().startsWith("history_{}: HTTP 429"));
        assertEquals(
                Set.of("history"), reports.getLast().status().closedUntilMs().keySet());
    }

    /** A past of three pages of ten, newest first. */
    private static VenueSpec threePages() {
        return spec().limit("api.example.com", 6000, 60)
                .request(Request.get("rates", HOST + "rates"))
                .history(History.get(HISTORY, HOST + "history?s={key}&to={to_ms}", History.Paging.OLDER, 10))
                .build();
    }

    private static long to(VenueRequest request) {
        return Long.parseLong(request.url().substring(request.url().indexOf("&to=") + 4));
    }

    private FetchResult page(VenueRequest request) {
        long newest = Math.min(to(request), BEGUN) / HOUR * HOUR;
        String rows = LongStream.range(0, 10)
                .map(i -> newest - i * HOUR)
                .filter(at -> at > BEGUN - 25 * HOUR)
                .mapToObj("{\"at\":%d,\"rate\":\"0.0001\"}"::formatted)
                .collect(Collectors.joining(","));
        return json("{\"history\":[" + rows + "]}");
    }

    @Test
    void readsContractRefusedAfterFirstPageLater() {
        exchange = request -> {
            if (!request.name().equals("history_A")) {
                return null;
            }
            boolean busy = times("history_A").size() == 2;
            return busy ? new FetchResult.Failed("refused: busy", false) : page(request);
        };

        poll(threePages(), Duration.ofMinutes(5));
        assertFalse(whole.contains("A"), "its older pages are missing");
        assertEquals(
                "1 of 2 contracts could not be read: history_{}: refused: busy",
                reports.getLast().status().historyProblem());
        assertRead(1, 2);

        sent.clear();
        settled.clear();
        poll(threePages(), Duration.ofMinutes(20)); // the same story again, and on
        assertTrue(whole.contains("A"));
        assertEquals(
                25,
                settled.stream().filter(of -> of.startsWith("A ")).distinct().count());
        assertNull(reports.getLast().status().historyProblem());
    }

    @Test
    void venueThatAlwaysRefusesRestHasNoMore() {
        exchange = request -> {
            if (!request.name().equals("history_A")) {
                return null;
            }
            return to(request) < BEGUN - HOUR ? new FetchResult.Failed("refused: too old", false) : page(request);
        };

        poll(threePages(), Duration.ofMinutes(60));
        assertFalse(whole.contains("A"), "after ten and twenty minutes it is requested again, and after forty");
        poll(threePages(), Duration.ofMinutes(90));
        assertTrue(whole.contains("A"));
        assertEquals(
                10,
                settled.stream().filter(of -> of.startsWith("A ")).distinct().count());
    }

    @Test
    void reportsUnreadableHistoryWithReason() {
        exchange = request -> request.name().startsWith("history_") ? json("{\"bug\":1}") : null;
        poll(usual().build(), Duration.ofMinutes(5));
        assertTrue(bugs.contains("unreadable history_{}"), bugs::toString);
        assertTrue(
                reports.getLast().status().historyProblem().contains("history_{}: unreadable"),
                reports.getLast().status().historyProblem());
    }

    @Test
    void skippedRowsOfHistoryAreCountedAndReported() {
        exchange = request -> request.name().startsWith("history_")
                ? json("{\"history\":[{\"at\":%d,\"rate\":\"0.0001\"},{\"at\":%d}]}"
                        .formatted(time.nowMs() - 3_600_000, time.nowMs() - 7_200_000))
                : null;
        symbols = List.of("A");
        poll(usual().build(), Duration.ofMinutes(5));
        assertEquals(1, settled.size());
        assertEquals(Set.of("A"), whole);
        assertEquals(Map.of("unreadable_rate", 1L), skippedSettlements);
        assertEquals(
                "rows of 1 of 1 contracts were left out: unreadable_rate",
                reports.getLast().status().historyProblem());
    }
}
