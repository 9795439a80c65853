package io.fundingobservatory.streams.pairs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much of a thread's time values over the window take, and which come first. */
class RecomputeScheduleTest {
    private static final List<String> ASSETS =
            IntStream.range(0, 10_000).mapToObj(i -> "A" + i).toList();

    private long steadyMs = 1_790_000_000_000L;
    private final BrokerClock clock = new BrokerClock(() -> steadyMs, Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW);

    @BeforeEach
    void theTimeIsKnown() {
        for (int partition = 0; partition < 6; partition++) {
            clock.arrived(Topics.QUOTES_RAW, partition, steadyMs);
        }
    }

    /** However much is due, a tick ends after a tenth of a second and one table. */
    @Test
    void worksForTenthOfSecond() {
        var schedule = new RecomputeSchedule(clock, Duration.ofSeconds(10));
        for (int tick = 0; tick < 10; tick++) {
            long began = steadyMs;
            schedule.tick(() -> ASSETS, (asset, window) -> steadyMs += 7);
            assertEquals(105, steadyMs - began);
        }
    }

    /** Late changes never end while a backfill goes on; tables that are due are made first. */
    @Test
    void computesDueTablesBeforeLateOnes() {
        var schedule = new RecomputeSchedule(clock, Duration.ofSeconds(10));
        List<String> assets = ASSETS.subList(0, 111);
        var made = new HashMap<String, Integer>();
        for (int tick = 0; made.size() < assets.size(); tick++) {
            assertTrue(tick < 20, () -> "tables after 20 ticks: " + made.size());
            assets.forEach(schedule::changed);
            schedule.tick(() -> assets, (asset, window) -> {
                steadyMs += 15;
                if (made.size() < assets.size()) {
                    made.merge(asset, 1, Integer::sum);
                }
            });
            steadyMs += 10_000;
        }
        assertEquals(Set.of(1), Set.copyOf(made.values()), "none twice while others are due");
    }

    /** A settlement after a quiet time, as the first one after a start, is in its table with the next tick. */
    @Test
    void firstChangeIsComputedAtOnce() {
        var schedule = new RecomputeSchedule(clock, Duration.ofSeconds(10));
        var madeMs = new ArrayList<Long>();
        long start = steadyMs;
        for (; steadyMs < start + 60_000; steadyMs += 200) {
            // From the 21st second on, every second for 15 s, and another one in the 51st second.
            long second = (steadyMs - start) / 1_000;
            if ((steadyMs - start) % 1_000 == 0 && ((second >= 21 && second < 36) || second == 51)) {
                schedule.changed("A");
            }
            schedule.tick(() -> List.of("A"), (asset, window) -> madeMs.add(steadyMs - start));
        }
        assertEquals(
                List.of(0L, 21_000L, 22_000L, 24_000L, 28_000L, 36_000L, 51_000L),
                madeMs,
                "the first one is of the window");
    }

    /** A day of records is read within a minute and a half: tables of its first hour, and of the present one. */
    @Test
    void backlogMakesNoTablesOfPassedHours() {
        var observation = new BrokerClock(() -> steadyMs, Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW);
        var schedule = new RecomputeSchedule(observation, Duration.ofSeconds(10));
        var windows = new TreeSet<Long>();
        long stampMs = steadyMs - Window.DAY_MS;
        for (int step = 0; step < 1_200; step++) {
            steadyMs += 100;
            stampMs = Math.min(steadyMs, stampMs + 100_000);
            for (int partition = 0; partition < 6; partition++) {
                observation.arrived(Topics.QUOTES_RAW, partition, stampMs);
            }
            schedule.tick(() -> List.of("A"), (asset, window) -> windows.add(window.endMs()));
        }
        assertEquals(Window.at(steadyMs).endMs(), windows.getLast());
        assertEquals(2, windows.size(), windows::toString);
    }
}
