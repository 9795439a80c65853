package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.TestVenue;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.IntervalSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of instruments and pages: when they are requested, and which of them are accepted. */
class InstrumentListsTest extends VenuePollerFixture {
    @Test
    void requestsListsHourlyAndFailedOnesAgain() {
        VenueSpec spec = spec().limit("api.example.com", 600, 60)
                .request(Request.get("rates", HOST + "rates"))
                .request(Request.get("list", HOST + "list").hourly())
                .build();
        exchange = request -> request.name().equals("list") && times("list").size() <= 2
                ? new FetchResult.Failed("HTTP 500", true)
                : rates("A", "B");

        poll(spec, Duration.ofHours(3));

        List<Long> at = times("list");
        assertTrue(at.get(1) - at.get(0) <= 60_000 && at.get(2) - at.get(1) <= 60_000, "again with the next poll");
        assertTrue(at.get(3) - at.get(2) >= 54 * 60_000, "then hourly, a little earlier at most");
        assertEquals(Outcome.PARTIAL, reports.getFirst().outcome());
        assertEquals("list: HTTP 500", reports.getFirst().status().reason());
        assertEquals(Outcome.OK, reports.getLast().outcome());
    }

    @Test
    void failedListThatIsUsedIsReported() {
        exchange = request -> request.name().equals("list") && times("list").size() > 1
                ? new FetchResult.Failed("HTTP 404", false)
                : rates("A", "B");
        poll(withList(), Duration.ofHours(2));
        long firstFailure = times("list").get(1);
        assertEquals(
                1,
                times("list").stream()
                        .filter(at -> at > firstFailure && at < firstFailure + 90_000)
                        .count());
        assertEquals(
                "list: HTTP 404, the one before is used",
                reports.getLast().status().reason());
        assertEquals(2, reports.getLast().quotes().size());
        long silent = reports.stream()
                .filter(r -> r.status().reason() == null)
                .mapToLong(r -> r.status().lastAttemptMs())
                .max()
                .orElseThrow();
        assertEquals(firstFailure, silent - (time.nowMs() - time.elapsedMs()), 5_000, "the first may be a glitch");
    }

    @Test
    void readsPagesToTheirEndOnly() {
        VenueSpec spec = spec().limit("api.example.com", 6000, 60)
                .request(Request.get("rates", HOST + "rates?x=1")
                        .pages(body -> Optional.ofNullable(body.textOrNull("next"))))
                .build();
        exchange = request -> json("{\"rows\":[{\"symbol\":\"" + request.url().length() + "\",\"rate\":0.1}],\"next\":"
                + (request.url().endsWith("3") ? "null" : request.url().endsWith("2") ? "\"&p=3\"" : "\"&p=2\"") + "}");
        poll(spec, Duration.ofSeconds(30));
        assertEquals(3, sent.size());

        sent.clear();
        exchange = request -> json("{\"rows\":[{\"symbol\":\"A\",\"rate\":0.1}],\"next\":\"&p=2\"}");
        poll(spec, Duration.ofSeconds(30));
        assertEquals(2, sent.size());
        assertEquals("rates: its pages never end", reports.getLast().status().reason());
    }

    @Test
    void reportsPagesAfterContradictedNextPage() {
        VenueSpec spec = spec().limit("api.example.com", 6000, 60)
                .request(Request.get("rates", HOST + "rates?x=1")
                        .pages(body -> Optional.ofNullable(body.textOrNull("next"))))
                .build();
        exchange = request -> json("{\"rows\":[{\"symbol\":\"A\",\"rate\":0.1}],\"next\":\"&p=2\",\"next\":\"&p=3\"}");
        poll(spec, Duration.ofSeconds(30));
        assertEquals(1, reports.getLast().quotes().size());
        assertEquals(Outcome.PARTIAL, reports.getLast().outcome());
        assertEquals(
                "rates: its next page is unreadable, contradicted",
                reports.getLast().status().reason());
    }

    @Test
    void requestsContradictedListAgainAtOnce() {
        long[] changesMs = {30 * 60_000};
        exchange = request -> {
            boolean changed = time.elapsedMs() >= changesMs[0];
            int hours = changed ? 4 : 8;
            long next = time.nowMs() - time.elapsedMs() + hours * 3_600_000L;
            return json(
                    request.name().equals("list")
                            ? "{\"hours\":%d,\"rows\":[{\"symbol\":\"A\"},{\"symbol\":\"B\"}]}".formatted(hours)
                            : "{\"rows\":[{\"symbol\":\"A\",\"rate\":\"0.0001\",\"next\":%d}]}".formatted(next));
        };
        Venue venue = reading(
                withList(),
                responses -> row -> QuoteBuilder.linear(row.text("symbol"), "USDT")
                        .rate(row.fundingRate("rate"))
                        .intervalHours(
                                responses.body("list").orElseThrow().decimal("hours"), IntervalSource.INSTRUMENT_LIST)
                        .next(row.millis("next")));
        poll(venue, Duration.ofMinutes(50));
        List<Long> lists = times("list");
        assertEquals(2, lists.size(), "the first time and after the contradiction: " + lists);
        assertTrue(lists.get(1) - changesMs[0] < 3 * 60_000, "within two polls: " + lists);
        assertEquals(4, reports.getLast().quotes().getFirst().intervalH().intValue());
    }

    /** One reading of the list of 20 contracts, the first or the second one, marks all or half of them as suspended. */
    @ParameterizedTest
    @CsvSource({"20, 1", "10, 2"})
    void listOfSuspendedContractsIsRequestedAgain(int suspended, int reading) {
        exchange = request -> {
            boolean isThatList = times("list").size() == reading;
            return json(IntStream.range(0, 20)
                    .mapToObj(i -> "{\"symbol\":\"S%d\",\"rate\":\"0.0001\",\"live\":%b}"
                            .formatted(i, !isThatList || i >= suspended))
                    .collect(Collectors.joining(",", "{\"rows\":[", "]}")));
        };
        Venue venue = reading(withList(), responses -> {
            Map<String, JsonValue> listed = responses.rowsBy("symbol", "list", "rows");
            return row -> {
                JsonValue contract = listed.get(row.text("symbol"));
                Skip.unless(contract != null && contract.flag("live"), Skip.NOT_TRADING);
                return QuoteBuilder.linear(row.text("symbol"), "USDT")
                        .rate(row.fundingRate("rate"))
                        .intervalHours(8, IntervalSource.DOCUMENTED);
            };
        });
        poll(venue, Duration.ofMinutes(100));
        assertEquals(20, reports.getLast().quotes().size());
        assertEquals(reading == 1, reports.getFirst().outcome() == Outcome.FAILED);
        List<Long> lists = times("list");
        assertEquals(3, lists.size(), "soon after that one, then hourly: " + lists);
        assertTrue(lists.get(reading) - lists.get(reading - 1) <= 7 * 60_000, lists::toString);
    }

    @Test
    void listsRestFiveMinutesWithoutAnyRow() {
        exchange = request -> json("{\"rows\":[{\"symbol\":\"A\"},{\"symbol\":\"B\"}]}");
        poll(withList(), Duration.ofHours(1));
        assertTrue(times("list").size() <= 12, () -> times("list").toString());
    }

    private static VenueSpec withList() {
        return spec().limit("api.example.com", 600, 60)
                .request(Request.get("list", HOST + "list").hourly())
                .request(Request.get("rates", HOST + "rates"))
                .build();
    }

    private FetchResult list(int contracts) {
        return rates(IntStream.range(0, contracts).mapToObj(i -> "S" + i).toArray(String[]::new));
    }

    /** A venue whose rows have a reader for each set of responses. */
    private static Venue reading(VenueSpec spec, Function<VenueResponses, Function<JsonValue, QuoteBuilder>> reader) {
        return new TestVenue(
                spec,
                (responses, rows) -> rows.each(responses.rows("rates", "rows"), "symbol", reader.apply(responses)));
    }

    /** A venue that shows what its list names, as most readers do. */
    private static Venue listing() {
        return new TestVenue(withList(), (responses, rows) -> {
            if (responses.hasResponse("list")) {
                TestVenue.readRates(responses, rows);
            }
        });
    }

    /** Of more than 8 MB, so that two of it take more than 16. */
    @Test
    void largeListIsRenewed() {
        FetchResult large = list(230_000);
        exchange = request -> request.name().equals("rates") ? rates("S0", "S1") : large;

        poll(listing(), Duration.ofHours(2));

        assertTrue(times("list").size() >= 2, times("list")::toString);
        assertTrue(
                reports.stream().allMatch(r -> r.status().reason() == null),
                reports.getLast().status()::reason);
    }

    @Test
    void emptyListDoesNotReplaceGoodList() {
        exchange = request -> request.name().equals("rates")
                ? rates("S0", "S1")
                : time.elapsedMs() > 30 * 60_000 && time.elapsedMs() < 90 * 60_000 ? list(0) : list(60);

        poll(listing(), Duration.ofHours(3));

        assertTrue(reports.stream().allMatch(r -> r.quotes().size() == 2), "no poll without its rows");
        assertTrue(
                reports.stream()
                        .anyMatch(r -> "list: its list is empty, the one before is used"
                                .equals(r.status().reason())),
                "it is reported");
        assertNull(reports.getLast().status().reason(), "and forgotten when the list is there again");
        List<Long> whileEmpty = times("list").stream()
                .filter(at -> at > 30 * 60_000 && at < 100 * 60_000)
                .toList();
        assertTrue(whileEmpty.size() >= 8, whileEmpty::toString);
        for (int i = 1; i < whileEmpty.size(); i++) {
            long gap = whileEmpty.get(i) - whileEmpty.get(i - 1);
            assertTrue(gap >= 5 * 60_000 && gap <= 7 * 60_000, "every five minutes: " + whileEmpty);
        }
    }

    @Test
    void acceptsFifthOfListTenthAfterDay() {
        exchange = request -> request.name().equals("rates")
                ? rates("S0", "S1")
                : times("list").size() < 2 ? list(60) : list(5);
        poll(listing(), Duration.ofHours(20));
        assertEquals(
                "list: its list has 5 elements instead of 60, the one before is used",
                reports.getLast().status().reason());
        poll(listing(), Duration.ofHours(26));
        assertNull(reports.getLast().status().reason());

        sent.clear();
        exchange = request -> request.name().equals("rates")
                ? rates("S0", "S1")
                : times("list").size() < 2 ? list(60) : list(12);
        poll(listing(), Duration.ofHours(3));
        assertNull(reports.getLast().status().reason());
    }

    @Test
    void requestsInitiallyEmptyListInNextPoll() {
        exchange = request ->
                request.name().equals("rates") ? rates("S0") : times("list").size() < 3 ? list(0) : list(60);
        poll(listing(), Duration.ofMinutes(10));
        assertEquals("list: its list is empty", reports.getFirst().status().reason());
        assertEquals(0, reports.getFirst().quotes().size());
        assertTrue(times("list").get(2) < 3 * 60_000, times("list")::toString);
        assertEquals(Outcome.OK, reports.getLast().outcome());
    }
}
