package io.fundingobservatory.ingest.polling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.guards.Guards;
import io.fundingobservatory.ingest.history.SettledHistory;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.limits.LimitPool;
import io.fundingobservatory.testbed.sim.limits.PoolUse;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.HistoryProgress;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every venue asked for twenty minutes, with its history read from the beginning and a settlement on the way, behind a counter that
 * knows the exchange's published limits: of none is more than a fifth used in any window, and nothing is refused.
 */
class PublishedLimitsTest {
    /** 2026-09-21T15:50Z: ten minutes before one of the settlements that every exchange has. */
    private static final long BEFORE_A_SETTLEMENT = 1_790_005_800_000L;

    private static final Duration STORY = Duration.ofMinutes(20);

    /** Contracts whose 31 days have been read by then, also where ten dexes or a figure for each symbol draw on the same limit. */
    private static final long WHOLE_AT_LEAST = 10;

    static Stream<String> venues() {
        return Registry.all().stream()
                .map(venue -> venue.header().id())
                .filter(v -> java.util.Set.of(System.getProperty("only", "").split(","))
                        .contains(v));
    }

    static Wire wire(String id) {
        return Wires.all().stream()
                .filter(w -> w.venue().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("venues")
    void nothingIsAskedBeyondAFifthOfAPublishedLimit(String id) {
        var time = new VirtualTime(STORY, BEFORE_A_SETTLEMENT);
        Venue venue = Registry.find(id);
        var exchange = new StrictAnswers(wire(id), 3, time);
        var answers = new LiveAnswers(venue, exchange, time, new Random(1));
        var reports = new ArrayList<PollReport>();
        var bugs = new ArrayList<RuntimeException>();
        SettledHistory history = venue.header().history() == null
                ? null
                : new SettledHistory(venue, answers, time, new Random(2), List.of(), new Accepting());
        new VenuePoller(
                        venue,
                        Source.SIMULATED,
                        new Guards(List.of()),
                        answers,
                        time,
                        Duration.ofMinutes(1),
                        new Random(3),
                        null,
                        history,
                        new PollListener() {
                            @Override
                            public void polled(PollReport report) {
                                reports.add(report);
                            }

                            @Override
                            public void broke(String step, RuntimeException bug) {
                                bugs.add(bug);
                            }
                        })
                .run();
        assertTrue(Thread.interrupted(), "a poller ends by an interrupt only");

        assertEquals(List.of(), bugs);
        PollReport last = reports.getLast();
        System.out.printf(
                "%-12s %4d rows, history %s of %s%s%n",
                id,
                last.quotes().size(),
                last.status().historyDone(),
                last.status().historyTotal(),
                last.status().historyProblem() == null
                        ? ""
                        : ", " + last.status().historyProblem());
        for (PoolUse use : exchange.use()) {
            System.out.println("  " + use.line());
            assertEquals(0, use.refused(), use.line());
            assertTrue(use.pool().reading() != LimitPool.Reading.PUBLISHED || use.most() <= fifth(use), use.line());
        }
        assertTrue(reports.size() >= STORY.toMinutes() - 2, "polls: " + reports.size());
        assertTrue(!last.quotes().isEmpty(), last.status() + "");
        assertTrue(
                last.status().historyTotal() == null || last.status().historyDone() >= WHOLE_AT_LEAST,
                "history advances: " + last.status());
    }

    /** One request may weigh more than a fifth of a short window; it has the window to itself then. */
    private static long fifth(PoolUse use) {
        long heaviest = Math.ceilDiv(use.units(), Math.max(1, use.requests()));
        return Math.max(use.pool().units() / 5, heaviest);
    }

    private static final class Accepting implements SettledHistory.Sink {
        @Override
        public boolean publish(List<SettledRate> settled) {
            return true;
        }

        @Override
        public void publish(HistoryProgress progress) {}
    }
}
