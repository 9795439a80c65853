package io.fundingobservatory.ingest.polling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.fetching.Call;
import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.guards.Guards;
import io.fundingobservatory.ingest.history.SettledHistory;
import io.fundingobservatory.ingest.pacing.Pacing;
import io.fundingobservatory.ingest.pacing.RequestListener;
import io.fundingobservatory.ingest.reading.Answers;
import io.fundingobservatory.ingest.reading.Draft;
import io.fundingobservatory.ingest.reading.Header;
import io.fundingobservatory.ingest.reading.History;
import io.fundingobservatory.ingest.reading.Node;
import io.fundingobservatory.ingest.reading.Request;
import io.fundingobservatory.ingest.reading.Rows;
import io.fundingobservatory.ingest.reading.Settlements;
import io.fundingobservatory.ingest.reading.Settlements.Settled;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.HistoryProgress;
import io.fundingobservatory.topics.IntervalSource;
import io.fundingobservatory.topics.RateKind;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.VenueStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each kind of refusal costs: never more than what it concerns, and it is always told. */
class RefusalsTest {
    private static final String HOST = "https://api.example.com/";
    private static final String PAST = "past_{}";

    private record Asked(String name, long atMs) {}

    private final List<Asked> asked = new ArrayList<>();
    private final List<PollReport> reports = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final Map<String, Integer> outcomes = new java.util.TreeMap<>();
    private final Set<String> whole = new HashSet<>();
    private Function<Call, @Nullable Fetched> refusal = call -> null;
    private Runnable onReport = () -> {};
    private List<String> symbols = List.of("A", "B");
    private VirtualTime time = new VirtualTime(Duration.ZERO);
    private @Nullable VenueStatus before;

    @AfterEach
    void noInterruptIsLeftBehind() {
        Thread.interrupted();
    }

    private static Header.Builder header() {
        return Header.venue("gate")
                .docs("https://docs.example", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("api.example.com", 6000, 60)
                .request(Request.get("rates", HOST + "rates"))
                .request(Request.get("index", HOST + "index"))
                .history(History.get(PAST, HOST + "past?s={key}", History.Paging.NONE, 100));
    }

    private static Venue venue(Header header) {
        return new Venue() {
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
                                .intervalHours(8, IntervalSource.DOCUMENTED));
            }

            @Override
            public void readHistory(Node body, Settlements settlements) {
                if (body.has("bug")) {
                    throw new IllegalStateException("bug");
                }
                settlements.each(body.list("past"), row -> Settled.fraction(row.millis("at"), row.decimal("rate")));
            }
        };
    }

    private Fetched json(String text) {
        try {
            return new Fetched.Answered(Node.parse(text.getBytes(StandardCharsets.UTF_8)), time.nowMs());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Fetched answer(Call call) {
        Fetched refused = refusal.apply(call);
        if (refused != null) {
            return refused;
        }
        return json(
                call.name().startsWith("past_")
                        ? "{\"past\":[{\"at\":%d,\"rate\":\"0.0001\"}]}".formatted(time.nowMs() - 3_600_000)
                        : "{\"rows\":[%s]}"
                                .formatted(symbols.stream()
                                        .map(s -> "{\"symbol\":\"" + s + "\",\"rate\":\"0.0001\"}")
                                        .collect(Collectors.joining(","))));
    }

    private void poll(Header header, Duration story) {
        time = new VirtualTime(story);
        Venue venue = venue(header);
        var answers = new LiveAnswers(
                venue,
                (v, call) -> {
                    asked.add(new Asked(call.name(), time.elapsedMs()));
                    time.pause(Duration.ofMillis(100));
                    return answer(call);
                },
                time,
                new Random(1),
                Pacing.PUBLISHED,
                (address, outcome, reason) -> outcomes.merge(address + ' ' + outcome, 1, Integer::sum));
        var history = new SettledHistory(venue, answers, time, new Random(2), List.of(), new SettledHistory.Sink() {
            @Override
            public boolean publish(List<SettledRate> settled) {
                return true;
            }

            @Override
            public void publish(HistoryProgress progress) {
                whole.add(progress.symbol());
            }

            @Override
            public void unreadable(String address, RuntimeException why) {
                broken.add("unreadable " + address);
            }
        });
        new VenuePoller(
                        venue,
                        Source.SIMULATED,
                        new Guards(List.of()),
                        answers,
                        time,
                        Duration.ofMinutes(1),
                        new Random(2),
                        before,
                        history,
                        new PollListener() {
                            @Override
                            public void polled(PollReport report) {
                                reports.add(report);
                                onReport.run();
                            }

                            @Override
                            public void broke(String step, RuntimeException bug) {
                                broken.add(step + ' ' + bug.getMessage());
                            }
                        })
                .run();
        assertTrue(Thread.interrupted(), "a poller ends by an interrupt only");
    }

    private List<Long> times(String name) {
        return asked.stream()
                .filter(a -> a.name().equals(name))
                .map(Asked::atMs)
                .toList();
    }

    @Test
    void contractsThatAreRefusedDoNotKeepTheOthersFromBeingRead() {
        symbols = IntStream.range(0, 300).mapToObj(i -> "S" + i).toList();
        refusal = call -> call.name().matches("past_S\\d?[05]") ? new Fetched.Failed("refused: 10001", false) : null;

        poll(header().build(), Duration.ofMinutes(30));

        long refused = symbols.stream().filter(s -> s.matches("S\\d?[05]")).count();
        assertEquals(20, refused);
        assertEquals(280, whole.size(), "all the others");
        assertEquals(
                "20 of 300 contracts could not be read: past_{}: refused: 10001",
                reports.getLast().status().historyProblem());
        assertTrue(outcomes.get("past_{} REFUSED") >= 20, outcomes::toString);
        List<Long> at = times("past_S0");
        assertTrue(at.size() <= 3, "asked again after ten and twenty minutes: " + at);
    }

    @Test
    void aLostConnectionEndsTheMinuteAfterTheSecondAndNoMore() {
        symbols = IntStream.range(0, 100).mapToObj(i -> "S" + i).toList();
        refusal = call -> call.name().startsWith("past_") && time.elapsedMs() < 300_000
                ? new Fetched.Failed("no answer within 10 s", true)
                : null;

        poll(header().build(), Duration.ofMinutes(40));

        long early = asked.stream()
                .filter(a -> a.name().startsWith("past_") && a.atMs() < 300_000)
                .count();
        assertTrue(early <= 12, "two a minute: " + early);
        assertEquals(100, whole.size());
        assertNull(reports.getLast().status().historyProblem());
    }

    @Test
    void aSideAddressThatIsBarredPausesAloneForLongerEachTime() {
        refusal = call -> call.name().equals("index") ? new Fetched.Barred("HTTP 403", null) : null;

        poll(header().build(), Duration.ofHours(5));

        assertEquals(300, times("rates").size(), 2, "the rates are asked every minute");
        assertTrue(reports.stream().allMatch(r -> r.quotes().size() == 2));
        List<Long> at = times("index");
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
    void theFigureRequestThatIsBarredSilencesTheVenueAlsoWhenSideAddressesAnswer() {
        refusal = call -> call.name().equals("rates") ? new Fetched.Barred("HTTP 403", null) : null;

        poll(header().build(), Duration.ofHours(2));

        List<Long> at = times("rates");
        for (int i = 1; i < at.size(); i++) {
            long from = at.get(i - 1);
            long until = at.get(i);
            assertTrue(until - from >= Math.min(3_600_000, 120_000L << (i - 1)), at::toString);
            assertEquals(
                    List.of(),
                    asked.stream()
                            .filter(a -> a.atMs() > from && a.atMs() < until)
                            .toList());
        }
        assertTrue(reports.getLast().status().closedUntilMs().containsKey("api.example.com"));
    }

    @Test
    void throttledHistoryOfItsOwnPoolLeavesTheFiguresAlone() {
        Header header = Header.venue("gate")
                .docs("https://docs.example", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("api.example.com", 6000, 60)
                .pool("past", 600, 60)
                .request(Request.get("rates", HOST + "rates"))
                .history(History.get(PAST, HOST + "past?s={key}", History.Paging.NONE, 100)
                        .pool("past"))
                .build();
        refusal = call ->
                call.name().startsWith("past_") ? new Fetched.Throttled("HTTP 429", Duration.ofMinutes(20)) : null;

        poll(header, Duration.ofMinutes(60));

        assertEquals(60, times("rates").size(), 2);
        assertTrue(reports.stream().allMatch(r -> r.outcome() == PollReport.Outcome.OK));
        List<Long> past = asked.stream()
                .filter(a -> a.name().startsWith("past_"))
                .map(Asked::atMs)
                .toList();
        assertTrue(past.size() >= 2 && past.size() <= 3, past::toString);
        assertTrue(past.get(1) - past.get(0) >= 20 * 60_000, past::toString);
        assertTrue(reports.getLast().status().historyProblem().startsWith("past_{}: HTTP 429"));
        assertEquals(Set.of("past"), reports.getLast().status().closedUntilMs().keySet());
    }

    @Test
    void retryAfterOfNothingIsAnIntervalAtLeast() {
        refusal = call -> call.name().equals("rates") && times("rates").size() == 3
                ? new Fetched.Throttled("HTTP 429", Duration.ZERO)
                : null;

        poll(header().build(), Duration.ofMinutes(10));

        List<Long> at = times("rates");
        long next = asked.stream()
                .mapToLong(Asked::atMs)
                .filter(ms -> ms > at.get(2))
                .min()
                .orElseThrow();
        assertTrue(next - at.get(2) >= 60_000, "nothing goes out to the host before: " + (next - at.get(2)));
    }

    @Test
    void aBanOutlivesTheProcess() {
        refusal = call -> new Fetched.Barred("HTTP 418", Duration.ofHours(24));
        poll(header().build(), Duration.ofMinutes(3));
        VenueStatus last = reports.getLast().status();
        long until = last.closedUntilMs().get("api.example.com");
        long first = time.nowMs() - time.elapsedMs() + asked.getFirst().atMs();
        assertTrue(Math.abs(until - first - 24 * 3_600_000L) < 1_000, until + " from " + first);

        asked.clear();
        refusal = call -> null;
        before = last;
        poll(header().build(), Duration.ofHours(23));
        assertEquals(List.of(), asked, "nothing is asked before the ban ends");
        assertNotNull(reports.getLast().status().reason());

        poll(header().build(), Duration.ofHours(25));
        assertTrue(!asked.isEmpty(), "and then it is");
    }

    @Test
    void figuresWhoseConnectionIsLostAreAskedOnceMoreAtOnce() {
        refusal = call -> call.name().equals("rates") && times("rates").size() == 4
                ? new Fetched.Failed("connection reset", true)
                : null;

        poll(header().build(), Duration.ofMinutes(10));

        List<Long> at = times("rates");
        assertEquals(100, at.get(4) - at.get(3), "the second try goes out at once");
        assertTrue(reports.stream().allMatch(r -> r.outcome() == PollReport.Outcome.OK), "no minute is lost");
        assertEquals(1, outcomes.get("rates FAILED"));
    }

    @Test
    void aSecondLossIsNotTriedAThirdTimeAndARefusalNotAtAll() {
        refusal = call -> call.name().equals("rates")
                ? new Fetched.Failed("connection reset", true)
                : new Fetched.Failed("HTTP 404", false);
        poll(header().build(), Duration.ofSeconds(30));
        assertEquals(2, times("rates").size());
        assertEquals(1, times("index").size());
    }

    @Test
    void whateverThrowsAfterThePollThePollingGoesOnAndItIsTold() {
        onReport = () -> {
            if (reports.size() == 3) {
                throw new ArithmeticException("/ by zero");
            }
        };
        poll(header().build(), Duration.ofMinutes(10));
        assertTrue(reports.size() >= 9, "polls: " + reports.size());
        assertEquals(List.of("publish / by zero"), broken);
    }

    @Test
    void aHistoryThatCannotBeReadIsToldWithItsReason() {
        refusal = call -> call.name().startsWith("past_") ? json("{\"bug\":1}") : null;
        poll(header().build(), Duration.ofMinutes(5));
        assertTrue(broken.contains("unreadable past_{}"), broken::toString);
        assertTrue(
                reports.getLast().status().historyProblem().contains("past_{}: unreadable"),
                reports.getLast().status().historyProblem());
    }

    @Test
    void everyOutcomeOfARequestIsCounted() {
        refusal = call -> switch (times("rates").size() % 4) {
            case 1 -> new Fetched.Throttled("HTTP 429", Duration.ofSeconds(1));
            case 2 -> new Fetched.Failed("HTTP 400", false);
            default -> null;
        };
        poll(header().build(), Duration.ofMinutes(12));
        for (RequestListener.Outcome outcome : List.of(
                RequestListener.Outcome.ANSWERED, RequestListener.Outcome.THROTTLED, RequestListener.Outcome.REFUSED)) {
            assertTrue(outcomes.containsKey("rates " + outcome), outcomes::toString);
        }
    }
}
