package io.fundingobservatory.ingest.polling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.fetching.Call;
import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.guards.Guards;
import io.fundingobservatory.ingest.guards.RowGuard;
import io.fundingobservatory.ingest.polling.PollReport.Outcome;
import io.fundingobservatory.ingest.reading.Answers;
import io.fundingobservatory.ingest.reading.Draft;
import io.fundingobservatory.ingest.reading.Header;
import io.fundingobservatory.ingest.reading.Node;
import io.fundingobservatory.ingest.reading.Request;
import io.fundingobservatory.ingest.reading.Rows;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.IntervalSource;
import io.fundingobservatory.topics.RateKind;
import io.fundingobservatory.topics.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hours of polling in milliseconds: who is asked when, and what is made of every kind of answer. */
class VenuePollerTest {
    private static final String HOST = "https://api.example.com/";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private record Asked(String name, long atMs) {}

    private final List<Asked> asked = new ArrayList<>();
    private final List<PollReport> reports = new ArrayList<>();
    private Function<Call, Fetched> exchange = call -> rates("A", "B");
    private VirtualTime time;

    @AfterEach
    void noInterruptIsLeftBehind() {
        Thread.interrupted();
    }

    private static Header.Builder header() {
        return Header.venue("gate").docs("https://docs.example", "2026-09-15").rate(RateKind.ESTIMATE);
    }

    private static Venue venue(Header header) {
        return new Venue() {
            @Override
            public Header header() {
                return header;
            }

            @Override
            public void read(Answers answers, Rows rows) {
                for (String request : List.of("rates", "rate_{}")) {
                    for (Answers.Answer answer : answers.all(request)) {
                        rows.each(
                                answer.body().list("rows"),
                                "symbol",
                                row -> Draft.linear(row.text("symbol"), "USDT")
                                        .rate(row.fundingRate("rate"))
                                        .intervalHours(8, IntervalSource.DOCUMENTED)
                                        .venueTime(row.millis("time"))
                                        .observedAt(answer.readAtMs()));
                    }
                }
            }
        };
    }

    private Fetched rates(String... symbols) {
        var rows = new StringBuilder();
        for (String symbol : symbols) {
            rows.append(rows.isEmpty() ? "" : ",").append("{\"symbol\":\"" + symbol + "\",\"rate\":\"0.0001\"}");
        }
        return json("{\"rows\":[" + rows + "]}");
    }

    private Fetched json(String text) {
        try {
            return new Fetched.Answered(Node.parse(text.getBytes(StandardCharsets.UTF_8)), time.nowMs());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void poll(Header header, Duration story) {
        time = new VirtualTime(story);
        Venue venue = venue(header);
        var gathering = new LiveAnswers(
                venue,
                (v, call) -> {
                    asked.add(new Asked(call.name(), time.elapsedMs()));
                    return exchange.apply(call);
                },
                time,
                new Random(1));
        new VenuePoller(
                        venue,
                        Source.SIMULATED,
                        new Guards(),
                        gathering,
                        time,
                        MINUTE,
                        new Random(2),
                        null,
                        null,
                        reports::add)
                .run();
        assertTrue(Thread.interrupted(), "a poller ends by an interrupt only");
    }

    private List<Long> times(String name) {
        return asked.stream()
                .filter(a -> a.name().equals(name))
                .map(Asked::atMs)
                .toList();
    }

    private static Header plain() {
        return header().limit("api.example.com", 600, 60)
                .request(Request.get("rates", HOST + "rates"))
                .build();
    }

    @Test
    void pollsOnItsBeatFromTheFirstSecondsOn() {
        poll(plain(), Duration.ofMinutes(10));

        List<Long> at = times("rates");
        assertTrue(at.getFirst() < 5_000, "fills an empty cluster quickly");
        assertEquals(10, at.size(), 1);
        for (int i = 2; i < at.size(); i++) {
            assertEquals(60_000, at.get(i) - at.get(i - 1), "one beat after the other");
        }
        assertTrue(reports.stream()
                .allMatch(r -> r.outcome() == Outcome.OK && r.quotes().size() == 2));
        assertNull(reports.getLast().status().reason());
    }

    @Test
    void listsAreAskedOnTheirOwnCadenceAndAgainAtOnceWhenTheyFail() {
        Header header = header().limit("api.example.com", 600, 60)
                .request(Request.get("rates", HOST + "rates"))
                .request(Request.get("list", HOST + "list").hourly())
                .build();
        exchange = call -> call.name().equals("list") && times("list").size() <= 2
                ? new Fetched.Failed("HTTP 500", true)
                : rates("A");

        poll(header, Duration.ofHours(3));

        List<Long> at = times("list");
        assertTrue(at.get(1) - at.get(0) <= 60_000 && at.get(2) - at.get(1) <= 60_000, "again with the next poll");
        assertTrue(at.get(3) - at.get(2) >= 54 * 60_000, "then hourly, a little earlier at most");
        assertEquals(Outcome.PARTIAL, reports.getFirst().outcome());
        assertEquals("list: HTTP 500", reports.getFirst().status().reason());
        assertEquals(Outcome.OK, reports.getLast().outcome());
    }

    @Test
    void nothingIsAskedBeforeRetryAfterEnds() {
        exchange = call -> asked.size() == 2 ? new Fetched.Throttled("HTTP 429", Duration.ofSeconds(150)) : rates("A");

        poll(plain(), Duration.ofMinutes(8));

        List<Long> at = times("rates");
        assertTrue(at.get(2) - at.get(1) >= 150_000, at::toString);
        assertTrue(at.get(2) - at.get(1) <= 210_000, at::toString);
        PollReport throttled = reports.get(1);
        assertEquals(Outcome.FAILED, throttled.outcome());
        assertEquals("rates: HTTP 429", throttled.status().reason());
        assertNotNull(throttled.status().lastSuccessMs(), "the last success is still known");
        assertTrue(
                reports.get(2).status().reason().contains("not asked again for"),
                reports.get(2).status().reason());
        assertEquals(
                throttled.status().lastAttemptMs(), reports.get(2).status().lastAttemptMs(), "that was no attempt");
    }

    @Test
    void aHostThatBarsUsIsLeftAloneTwiceAsLongEachTime() {
        exchange = call -> new Fetched.Barred("HTTP 403", null);

        poll(plain(), Duration.ofHours(6));

        List<Long> at = times("rates");
        long gap = 120_000;
        for (int i = 1; i < at.size(); i++) {
            assertTrue(at.get(i) - at.get(i - 1) >= gap, at::toString);
            assertTrue(at.get(i) - at.get(i - 1) <= gap + 60_000, at::toString);
            gap = Math.min(3_600_000, gap * 2);
        }
    }

    @Test
    void aPollThatOverrunsLetsBeatsPass() {
        exchange = call -> {
            try {
                time.pause(Duration.ofSeconds(130));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return rates("A");
        };

        poll(plain(), Duration.ofMinutes(20));

        List<Long> at = times("rates");
        for (int i = 2; i < at.size(); i++) {
            assertEquals(180_000, at.get(i) - at.get(i - 1), "two beats pass, none is caught up with");
        }
    }

    @Test
    void whatIsAskedKeyByKeyStaysWithinAFifthOfTheLimit() {
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "S" + i).toList();
        Header header = header().limit("api.example.com", 250, 60)
                .request(Request.get("rate_{}", HOST + "rate?s={}").each(answers -> keys))
                .build();
        exchange = call -> rates(call.name().substring("rate_".length()));

        poll(header, Duration.ofMinutes(30));

        for (Asked first : asked) {
            long inWindow = asked.stream()
                    .filter(a -> a.atMs() >= first.atMs() && a.atMs() < first.atMs() + 60_000)
                    .count();
            assertTrue(inWindow <= 50, inWindow + " requests in a minute from " + first.atMs());
        }
        assertTrue(
                times("rate_S99").size() >= 8,
                "every key has its turn: " + times("rate_S99").size());
        assertEquals(100, reports.getLast().quotes().size(), "each key's last answer counts for 180 s");
        long oldest = reports.getLast().quotes().stream()
                .mapToLong(q -> q.observedAtMs())
                .min()
                .orElseThrow();
        assertTrue(time.nowMs() - oldest <= 300_000);
    }

    @Test
    void aKeyThatStopsAnsweringIsGoneAfterThreeMinutes() {
        Header header = header().limit("api.example.com", 6000, 60)
                .request(Request.get("rate_{}", HOST + "rate?s={}").each(answers -> List.of("A", "B")))
                .build();
        exchange = call -> call.name().equals("rate_B") && time.elapsedMs() > 300_000
                ? new Fetched.Failed("HTTP 404", false)
                : rates(call.name().substring("rate_".length()));

        poll(header, Duration.ofMinutes(12));

        assertEquals(1, reports.getLast().quotes().size());
        assertTrue(reports.getLast().status().reason().startsWith("rate_{}: HTTP 404 (1 keys)"), "its reason is told");
        PollReport justAfter = reports.get(6);
        assertEquals(2, justAfter.quotes().size(), "at first its last answer still counts");
    }

    @Test
    void pagesAreFollowedToTheirEndAndNoFurther() {
        Header header = header().limit("api.example.com", 6000, 60)
                .request(Request.get("rates", HOST + "rates?x=1")
                        .pages(body -> Optional.ofNullable(body.textOrNull("next"))))
                .build();
        exchange = call -> json("{\"rows\":[{\"symbol\":\"" + call.url().length() + "\",\"rate\":0.1}],\"next\":"
                + (call.url().endsWith("3") ? "null" : call.url().endsWith("2") ? "\"&p=3\"" : "\"&p=2\"") + "}");
        poll(header, Duration.ofSeconds(30));
        assertEquals(3, asked.size());

        asked.clear();
        exchange = call -> json("{\"rows\":[{\"symbol\":\"A\",\"rate\":0.1}],\"next\":\"&p=2\"}");
        poll(header, Duration.ofSeconds(30));
        assertEquals(2, asked.size());
        assertEquals("rates: its pages never end", reports.getLast().status().reason());
    }

    @Test
    void fewRowsThanUsualArePublishedAsPartial() {
        exchange = call -> asked.size() < 6 ? rates("A", "B", "C", "D") : rates("A", "B", "C");
        poll(plain(), Duration.ofMinutes(6));
        assertEquals(Outcome.PARTIAL, reports.getLast().outcome());
        assertEquals(3, reports.getLast().quotes().size());
        assertEquals("fewer rows than usual: 3 of 4", reports.getLast().status().reason());
    }

    @Test
    void anExchangeAheadOfOurClockIsQuarantined() {
        exchange = call -> json("{\"rows\":[{\"symbol\":\"A\",\"rate\":0.1,\"time\":" + (time.nowMs() + 60_001) + "},"
                + "{\"symbol\":\"B\",\"rate\":0.1,\"time\":" + (time.nowMs() + 59_000) + "}]}");
        poll(plain(), Duration.ofSeconds(30));
        assertEquals(
                List.of("B"),
                reports.getLast().quotes().stream().map(q -> q.symbol()).toList());
        assertEquals(1L, reports.getLast().status().skipped().get(RowGuard.VENUE_TIME_AHEAD));
        assertEquals(1, reports.getLast().unusual(), "10 % per 8 hours is published and counted");
        assertEquals(
                0,
                new BigDecimal("0.1")
                        .compareTo(reports.getLast().quotes().getFirst().rate()));
    }

    @Test
    void aDeclarationThatThrowsCostsItsVenueOnePollNotItsPoller() {
        Header header = header().limit("api.example.com", 600, 60)
                .request(Request.get("rate_{}", HOST + "rate?s={}").each(answers -> {
                    throw new IllegalStateException("bug");
                }))
                .build();
        poll(header, Duration.ofMinutes(5));
        assertTrue(reports.size() >= 4);
        assertEquals(
                "its asking broke off: IllegalStateException",
                reports.getLast().status().reason());
    }

    @Test
    void aListThatTheAnnouncedSettlementsContradictIsAskedForAgainAtOnce() {
        Header header = header().limit("api.example.com", 600, 60)
                .request(Request.get("list", HOST + "list").hourly())
                .request(Request.get("rates", HOST + "rates"))
                .build();
        long[] changesMs = {30 * 60_000};
        exchange = call -> {
            boolean changed = time.elapsedMs() >= changesMs[0];
            int hours = changed ? 4 : 8;
            long next = time.nowMs() - time.elapsedMs() + hours * 3_600_000L;
            return json(
                    call.name().equals("list")
                            ? "{\"hours\":%d}".formatted(hours)
                            : "{\"rows\":[{\"symbol\":\"A\",\"rate\":\"0.0001\",\"next\":%d}]}".formatted(next));
        };
        time = new VirtualTime(Duration.ofMinutes(50));
        Venue venue = new Venue() {
            @Override
            public Header header() {
                return header;
            }

            @Override
            public void read(Answers answers, Rows rows) {
                rows.each(
                        answers.rows("rates", "rows"),
                        "symbol",
                        row -> Draft.linear(row.text("symbol"), "USDT")
                                .rate(row.fundingRate("rate"))
                                .intervalHours(
                                        answers.body("list").orElseThrow().decimal("hours"),
                                        IntervalSource.INSTRUMENT_LIST)
                                .next(row.millis("next")));
            }
        };
        var gathering = new LiveAnswers(
                venue,
                (v, call) -> {
                    asked.add(new Asked(call.name(), time.elapsedMs()));
                    return exchange.apply(call);
                },
                time,
                new Random(1));
        new VenuePoller(
                        venue,
                        Source.SIMULATED,
                        new Guards(),
                        gathering,
                        time,
                        MINUTE,
                        new Random(2),
                        null,
                        null,
                        reports::add)
                .run();
        assertTrue(Thread.interrupted());
        List<Long> lists = times("list");
        assertEquals(2, lists.size(), "the first time and after the contradiction: " + lists);
        assertTrue(lists.get(1) - changesMs[0] < 3 * 60_000, "within two polls: " + lists);
        assertEquals(4, reports.getLast().quotes().getFirst().intervalH().intValue());
    }
}
