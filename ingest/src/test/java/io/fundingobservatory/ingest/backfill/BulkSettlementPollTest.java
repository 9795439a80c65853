package io.fundingobservatory.ingest.backfill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.BulkSettlementPoll.Followed;
import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.poll.DiscardedRecords;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.TestVenue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.SettledRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One request for the last settlements of many contracts: its starting instant, what is published of it, and
 * when it is not sent.
 */
class BulkSettlementPollTest {
    private static final long HOUR_MS = 3_600_000;
    private static final long SETTLED = 1_790_006_400_000L;
    private static final History ENDPOINT =
            History.get("bulk", "https://api.example.com/history?from={from_ms}&to={to_ms}", History.Paging.NEWER, 4);

    private final List<VenueRequest> requested = new ArrayList<>();
    private final List<SettledRate> published = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();
    private final Map<String, Long> skipped = new HashMap<>();
    private Function<VenueRequest, FetchResult> exchange = request -> rows();
    private boolean brokerIsAway;
    private final VirtualTime time = VirtualTime.shared(SETTLED, 1);

    private final BulkSettlementPoll bulk = new BulkSettlementPoll(
            new TestVenue(TestVenue.sheet()
                    .limit(TestVenue.HOST, 600, 60)
                    .request(TestVenue.RATES)
                    .bulkHistory(ENDPOINT)
                    .build()),
            (request, endpoint, mayWait) -> {
                requested.add(request);
                return exchange.apply(request);
            },
            time,
            new SettlementOutput(
                    "gate",
                    new DiscardedRecords() {
                        @Override
                        public boolean publishSettled(List<SettledRate> settled) {
                            published.addAll(brokerIsAway ? List.of() : settled);
                            return !brokerIsAway;
                        }
                    },
                    new IngestEvents() {
                        @Override
                        public void skippedSettlements(String venue, SkipReason reason, long rows) {
                            skipped.put(reason.toString(), rows);
                        }

                        @Override
                        public void unreadable(String venue, String request, RuntimeException why) {
                            unreadable.add(request);
                        }
                    }));

    private static String row(String symbol, long atMs) {
        return "{\"symbol\":\"%s\",\"at\":%d,\"rate\":\"0.0001\"}".formatted(symbol, atMs);
    }

    private FetchResult rows(String... rows) {
        return TestVenue.list("history", time.nowMs(), rows);
    }

    /** Contracts whose settlement of eight hours before has been read. */
    private static List<ContractBackfill> waiting(String... symbols) {
        return Stream.of(symbols).map(s -> waiting(s, SETTLED - 8 * HOUR_MS)).toList();
    }

    private static ContractBackfill waiting(String symbol, long newestMs) {
        return ContractBackfill.resumed(new HistoryProgress("gate", symbol, newestMs, true), new Random(1));
    }

    private Followed read(List<ContractBackfill> contracts) throws InterruptedException {
        return bulk.read(ENDPOINT, contracts, time.elapsedMs() + 10_000);
    }

    @BeforeEach
    void startAfterSettlement() {
        time.pass(Duration.ofMillis(90_000));
    }

    @Test
    void oneRequestHasLastSettlementsOfAll() throws InterruptedException {
        exchange = request -> rows(row("A", SETTLED), row("B", SETTLED), row("OTHER", SETTLED));
        Followed followed = read(List.of(
                waiting("A", SETTLED - 8 * HOUR_MS), waiting("B", SETTLED - HOUR_MS), waiting("C", SETTLED - HOUR_MS)));
        assertNotNull(followed);
        assertEquals(Map.of("A", SETTLED, "B", SETTLED), followed.newestMs());
        assertTrue(followed.complete(), "C has not settled, or not yet");
        assertEquals(
                List.of("A", "B"),
                published.stream().map(SettledRate::symbol).toList(),
                "those that wait, and no other");
        assertEquals(1, requested.size());
        assertTrue(
                requested.getFirst().url().contains("from=" + (SETTLED - 8 * HOUR_MS + 1)),
                requested.getFirst().url());
    }

    @Test
    void doesNotRequestKnownOrFewSettlements() throws InterruptedException {
        assertNull(read(waiting("A", "B")), "two are requested one by one");
        assertEquals(0, requested.size());

        exchange = request -> rows(row("A", SETTLED - 8 * HOUR_MS), row("A", SETTLED));
        assertNotNull(read(waiting("A", "B", "C")));
        assertEquals(1, published.size(), "what has been read before is not published again");
    }

    @Test
    void followsUpWithinDayAndHalfOnly() {
        ContractBackfill contract = waiting("A", SETTLED - HOUR_MS);
        contract.endpoints(List.of(), Set.of("bulk"));
        contract.announced(new ContractBackfill.Schedule(SETTLED, 8 * HOUR_MS, 0, 60_000), SETTLED - HOUR_MS);
        assertFalse(contract.isToBeFollowed("bulk", SETTLED + 59_999), "a minute is left for the venue");
        assertTrue(contract.isToBeFollowed("bulk", SETTLED + 60_000));
        assertTrue(contract.isToBeFollowed("bulk", SETTLED + 35 * HOUR_MS - 1));
        assertFalse(contract.isToBeFollowed("bulk", SETTLED + 35 * HOUR_MS), "a longer gap is read by contract");
        assertFalse(contract.isToBeFollowed("other", SETTLED + 60_000), "the endpoint does not have it");
    }

    @Test
    void requestsLastInstantOfFullPageAgain() throws InterruptedException {
        long before = SETTLED - 4 * HOUR_MS;
        exchange = request -> requested.size() == 1
                ? rows(row("A", before), row("B", before), row("A", SETTLED), row("B", SETTLED))
                : rows(row("A", SETTLED), row("B", SETTLED), row("C", SETTLED));
        Followed followed = read(waiting("A", "B", "C", "D"));
        assertTrue(
                requested.get(1).url().contains("from=" + SETTLED),
                requested.get(1).url());
        assertEquals(Map.of("A", SETTLED, "B", SETTLED, "C", SETTLED), followed.newestMs());
        assertTrue(followed.complete());
        assertEquals(5, published.size(), "rows of two pages are published once");
    }

    @Test
    void pageOfOneInstantLeavesOthersUnknown() throws InterruptedException {
        exchange = request -> rows(row("A", SETTLED), row("B", SETTLED), row("C", SETTLED), row("D", SETTLED));
        Followed followed = read(waiting("A", "B", "C", "D", "E", "F"));
        assertFalse(followed.complete());
        assertEquals(4, followed.newestMs().size());
        assertEquals(2, requested.size(), "the same instant once more brought nothing new");
    }

    @Test
    void unacknowledgedSettlementsCountAsUnread() throws InterruptedException {
        brokerIsAway = true;
        exchange = request -> rows(row("A", SETTLED));
        assertNull(read(waiting("A", "B", "C")));
        assertEquals(List.of(), published);
    }

    static Stream<Arguments> outcomes() {
        var poll = new BulkSettlementPollTest();
        return Stream.of(
                Arguments.of(new FetchResult.Failed("HTTP 500", true), 0),
                Arguments.of(new FetchResult.BackedOff("HTTP 429, next request in 60 s"), 0),
                Arguments.of(new FetchResult.NoAllowance(), 0),
                Arguments.of(poll.rows(row("A", SETTLED)), 180_000),
                Arguments.of(new FetchResult.Failed("HTTP 400", false), HOUR_MS),
                Arguments.of(TestVenue.received("{\"bug\":1}", SETTLED), HOUR_MS),
                Arguments.of(poll.rows("{\"symbol\":{}}"), HOUR_MS));
    }

    /** @param restMs how long the endpoint is not requested after an outcome; a response without a readable row is one that refuses */
    @ParameterizedTest
    @MethodSource("outcomes")
    void restsByOutcomeOfItsRequest(FetchResult outcome, long restMs) throws InterruptedException {
        exchange = request -> outcome;
        assertEquals(restMs == 180_000, read(waiting("A", "B", "C")) != null);
        boolean isUnreadable = outcome instanceof FetchResult.Received && restMs == HOUR_MS;
        assertEquals(isUnreadable ? List.of("bulk") : List.of(), unreadable);

        exchange = request -> rows(row("A", SETTLED));
        time.pass(Duration.ofMillis(Math.max(0, restMs - 1)));
        assertEquals(restMs == 0, read(waiting("A", "B", "C")) != null);
        time.pass(Duration.ofMillis(restMs == 0 ? 180_000 : 1));
        assertNotNull(read(waiting("A", "B", "C")));
    }

    @Test
    void skippedRowsAreCountedAndReported() throws InterruptedException {
        exchange = request ->
                rows(row("A", SETTLED), row("B", SETTLED), "{\"symbol\":\"C\",\"at\":%d}".formatted(SETTLED));
        Followed followed = read(waiting("A", "B", "C"));
        assertEquals(Set.of("A", "B"), followed.newestMs().keySet());
        assertEquals(Map.of("unreadable_rate", 1L), skipped);
        assertEquals("unreadable_rate", String.valueOf(bulk.skipped()));
    }
}
