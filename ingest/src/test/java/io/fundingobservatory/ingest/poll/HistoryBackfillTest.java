package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.client.VirtualVenue;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.RecordedWalks;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchange;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.SettledRate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hours of reading settled history in a second: nothing missing, nothing twice without need, and polling comes first. By default one
 * exchange for each way of paging; {@code -Dobservatory.history.venues=binance,okx,…} names others, and
 * {@code -Dobservatory.history.minutes=540} takes longer.
 */
class HistoryBackfillTest {
    private static final long HOUR_MS = 3_600_000;

    /** Enough for many pages and for a process that is killed amid them; the nightly run takes all. */
    private static final int CONTRACTS = Math.max(120, Realism.SMALL.contracts());

    private record Sent(String name, long atMs) {}

    private final List<Sent> sent = new ArrayList<>();
    private final List<PollReport> reports = new ArrayList<>();
    private final Map<String, TreeMap<Long, SettledRate>> settled = new HashMap<>();
    private final Map<String, HistoryProgress> progress = new HashMap<>();
    private int published;
    private boolean brokerIsAway;
    private int contracts = CONTRACTS;
    private VirtualTime time;

    private SimulatedMarket market(Wire wire) {
        return new SimulatedMarket(3, List.of(wire), contracts);
    }

    private VenueClient simulated(Wire wire) {
        var responses = new VirtualVenue(new SimulatedExchange(wire, market(wire), Realism.LENIENT), time);
        return (venue, request) -> {
            sent.add(new Sent(request.name(), time.elapsedMs()));
            return responses.fetch(venue, request);
        };
    }

    /** A process that lives for a while and is then killed; what it had published stays. */
    private void process(String id, VirtualTime life) {
        time = life;
        Venue venue = Registry.find(id);
        var output = new DiscardedRecords() {
            @Override
            public boolean publishSettled(List<SettledRate> rates) {
                if (brokerIsAway) {
                    return false;
                }
                published += rates.size();
                rates.forEach(r -> settled.computeIfAbsent(r.symbol(), s -> new TreeMap<>())
                        .put(minute(r.settledMs()), r));
                return true;
            }

            @Override
            public void publishProgress(HistoryProgress one) {
                progress.put(one.symbol(), one);
            }
        };
        var events = new IngestEvents() {
            @Override
            public void polled(PollReport report, boolean sent, boolean banned) {
                reports.add(report);
            }
        };
        SimulatedPoller.run(venue, simulated(Wires.of(id)), time, List.copyOf(progress.values()), output, events);
    }

    private static long minute(long instant) {
        return Math.round(instant / 60_000.0) * 60_000;
    }

    /** Everything that settled at live contracts in the 30 days before an instant is published. */
    private void assertWhole(String id, long untilMs) {
        Wire wire = Wires.of(id);
        MarketSnapshot market = market(wire).at(id, untilMs);
        int checked = 0;
        for (SimulatedContract contract : market.listings()) {
            String symbol = wire.symbol(contract);
            if (!contract.isLive()) {
                continue;
            }
            var expected = new TreeSet<Long>();
            contract.settledBetween(untilMs - 30 * 24 * HOUR_MS, untilMs).forEach(s -> expected.add(s.settledMs()));
            Set<Long> read = settled.getOrDefault(symbol, new TreeMap<>()).keySet();
            var missing = new TreeSet<>(expected);
            missing.removeAll(read);
            assertEquals(Set.of(), missing, id + " " + symbol + ": " + read.size() + " of " + expected.size());
            checked++;
        }
        assertTrue(checked > 10, "contracts of " + id);
    }

    /** In bulk, older and newer pages by time, page numbers, hourly settlements in one page, and a tight limit. */
    private static final String EACH_WAY = "binance,okx,kucoin,phemex,lighter,mexc";

    private static final long MINUTES = Integer.getInteger("observatory.history.minutes", 135);

    /** An hour before all contracts settle: the 30 days are read by then, or almost. */
    private static final long BEFORE_SETTLEMENT_MS =
            Instant.parse("2026-09-21T15:00:00Z").toEpochMilli();

    static List<String> venues() {
        return List.of(
                System.getProperty("observatory.history.venues", EACH_WAY).split(","));
    }

    @ParameterizedTest
    @MethodSource("venues")
    void thirtyDaysAreReadAndThenEachSettlement(String id) {
        process(id, new VirtualTime(Duration.ofMinutes(MINUTES), BEFORE_SETTLEMENT_MS));

        PollReport last = reports.getLast();
        assertEquals(last.status().historyTotal(), last.status().historyDone());
        assertEquals((long) last.quotes().size(), last.status().historyTotal());
        // a settlement is there an hour after its instant, also where the budget is small
        assertWhole(id, time.nowMs() - HOUR_MS);
        int distinct = settled.values().stream().mapToInt(Map::size).sum();
        assertTrue(published <= distinct * 1.1, published + " published of which " + distinct + " are different");
        assertPolledEachMinute();
    }

    private void assertPolledEachMinute() {
        List<Long> at = reports.stream().map(r -> r.status().lastAttemptMs()).toList();
        for (int i = 2; i < at.size(); i++) {
            assertTrue(at.get(i) - at.get(i - 1) <= 75_000, "polls " + (at.get(i) - at.get(i - 1)) + " ms apart");
        }
    }

    @Test
    void secondProcessContinuesWhereFirstWasKilled() {
        process("okx", new VirtualTime(Duration.ofMinutes(4)));
        Set<String> whole = new HashSet<>(progress.keySet());
        assertTrue(whole.size() > 20, "contracts done by the first: " + whole.size());
        assertTrue(
                reports.getLast().status().historyDone()
                        < reports.getLast().status().historyTotal(),
                "it was not done");
        sent.clear();
        settled.keySet().removeIf(s -> !whole.contains(s));

        process("okx", new VirtualTime(Duration.ofMinutes(70)));
        Set<String> again = new HashSet<>();
        sent.stream()
                .filter(a -> a.atMs() < 600_000 && a.name().startsWith("funding-rate-history_"))
                .forEach(a -> again.add(a.name().substring("funding-rate-history_".length())));
        again.retainAll(whole);
        assertTrue(
                again.size() <= whole.size() / 10, again.size() + " of " + whole.size() + " were read again at once");
        assertWhole("okx", time.nowMs() - HOUR_MS);
    }

    @Test
    void readsUnacknowledgedSettlementsAgain() {
        brokerIsAway = true;
        process("okx", new VirtualTime(Duration.ofMinutes(8)));
        assertEquals(Map.of(), progress);
        assertEquals(0L, reports.getLast().status().historyDone());
        brokerIsAway = false;
        process("okx", new VirtualTime(Duration.ofHours(1)));
        assertWhole("okx", time.nowMs() - HOUR_MS);
    }

    /** A settlement that comes with those of others, which takes an hour of a clock. */
    @Test
    void bulkPollGoesTheWayOfThePage() throws Exception {
        contracts = 3;
        try (var walks = RecordedWalks.start("A settlement, from a bulk poll")) {
            process("binance", new VirtualTime(Duration.ofMinutes(75), BEFORE_SETTLEMENT_MS));
            assertEquals(List.of(), walks.problems());
        }
        assertTrue(settled.values().stream().anyMatch(of -> of.lastKey() >= BEFORE_SETTLEMENT_MS), "one was settled");
    }
}
