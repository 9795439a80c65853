package io.fundingobservatory.streams.pairs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The brokers' time, and the windows that follow it, where a stamp or a clock is wrong. */
class BrokerClockTest {
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;
    private static final long T0 = 1_790_000_000_000L / HOUR * HOUR + HOUR / 2;

    private long steadyMs = T0;
    private final BrokerClock clock = new BrokerClock(() -> steadyMs, Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW);
    private final RecomputeSchedule schedule = new RecomputeSchedule(clock, Duration.ofSeconds(10));
    private final Set<Long> windows = new TreeSet<>();

    private void poll(long... aheadMs) {
        steadyMs += 1_000;
        for (int partition = 0; partition < aheadMs.length; partition++) {
            clock.arrived(Topics.QUOTES_RAW, partition, steadyMs + aheadMs[partition]);
        }
        schedule.tick(() -> List.of("BTC"), (asset, window) -> windows.add(window.endMs()));
    }

    private void agree() {
        for (int partition = 0; partition < 4; partition++) {
            clock.arrived(Topics.QUOTES_RAW, partition, T0);
        }
    }

    /** Partitions that another instance takes over amid a backlog vote no more. */
    @Test
    void partitionsThatLeaveVoteNoMore() {
        poll(-3 * HOUR, -3 * HOUR, -3 * HOUR, -3 * HOUR, -3 * HOUR, -3 * HOUR);
        assertEquals(steadyMs - 3 * HOUR, clock.nowMs());
        for (int partition = 3; partition < 6; partition++) {
            clock.left(Topics.QUOTES_RAW, partition);
        }
        for (int second = 0; second < 3 * 3_600; second++) {
            poll(0, 0, 0);
        }
        assertEquals(steadyMs, clock.nowMs());
    }

    @Test
    void slowLeaderMakesNoRecordFuture() {
        poll(0, 0, 0, 0, 0, -6 * 60_000);
        assertEquals(steadyMs, clock.arrivedMs(steadyMs - 6 * 60_000));
        assertEquals(steadyMs + 60_000, clock.arrivedMs(steadyMs + 60_000));
        assertEquals(steadyMs - HOUR, clock.arrivedMs(steadyMs - HOUR), "a record that has waited");
    }

    @Test
    void aPartitionLeaderTwoDaysAheadMovesNothing() {
        for (int second = 0; second < 600; second++) {
            poll(0, 2 * DAY, 0, 0, 2 * DAY, 0);
            assertEquals(steadyMs, clock.nowMs());
        }
        assertEquals(Set.of(Window.at(T0).endMs()), windows);
    }

    /** Whichever partitions are read first: by the time that anything is done by it, the time is right. */
    @Test
    void thirdOfLeadersMayBeDaysAhead() {
        for (int first = 0; first < 6; first++) {
            for (int second = 0; second < 6; second++) {
                if (second != first) {
                    var order = new LinkedHashSet<>(List.of(first, second));
                    order.addAll(List.of(0, 1, 2, 3, 4, 5));
                    var read = new BrokerClock(() -> steadyMs, Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW);
                    for (int partition : order) {
                        boolean wrong = partition == first || partition == second;
                        read.arrived(Topics.QUOTES_RAW, partition, wrong ? steadyMs + 2 * DAY : steadyMs);
                        assertTrue(!read.certain() || read.nowMs() == steadyMs, order::toString);
                    }
                    assertTrue(read.certain());
                }
            }
        }
    }

    /** The leaders of two partitions of each topic are wrong, and not the same two. */
    @Test
    void settlementsDoNotOutvoteQuotes() {
        for (int partition : List.of(1, 4, 0, 2, 3, 5)) {
            clock.arrived(Topics.SETTLEMENTS_RAW, partition, partition % 3 == 1 ? steadyMs + 2 * DAY : steadyMs);
        }
        for (int partition : List.of(0, 3, 1, 2)) {
            clock.arrived(Topics.QUOTES_RAW, partition, partition % 3 == 0 ? steadyMs + 2 * DAY : steadyMs);
            assertEquals(steadyMs, clock.nowMs());
        }
    }

    @Test
    void settlementsGiveTimeWithoutQuotes() {
        clock.arrived(Topics.SETTLEMENTS_RAW, 3, steadyMs - DAY);
        assertFalse(clock.certain());
        steadyMs += 10_000;
        assertTrue(clock.certain());
        assertEquals(steadyMs - DAY, clock.nowMs());
    }

    @Test
    void wrongStampIsGoneInTwoMinutes() {
        poll(0);
        clock.arrived(Topics.QUOTES_RAW, 0, steadyMs + 30 * DAY);
        assertTrue(clock.nowMs() <= steadyMs + 120_000, "one record moves it by two minutes at most");
        for (int second = 0; second < 125; second++) {
            poll(0);
        }
        assertEquals(steadyMs, clock.nowMs());
    }

    /** Most leaders two days ahead for an hour: the window goes along, and comes back with them. */
    @Test
    void windowFallsBackAfterWrongStamps() {
        poll(0, 0, 0);
        long right = Window.at(steadyMs).endMs();
        for (int second = 0; second < 3_600; second++) {
            poll(0, 2 * DAY, 2 * DAY);
        }
        assertTrue(windows.contains(right + 48 * HOUR), windows::toString);
        windows.clear();
        for (int second = 0; second < 600; second++) {
            poll(0, 0, 0);
        }
        assertEquals(Set.of(Window.at(steadyMs).endMs()), windows);
    }

    /** Offsets reset: three days are read again, and the window of the tables that stand does not go back for that. */
    @Test
    void backlogHoldsTimeBackButNotWindow() {
        schedule.made(Window.at(T0).endMs());
        for (long behind = 3 * DAY; behind > 0; behind -= 600_000) {
            poll(-behind, -behind, -behind / 2);
        }
        assertEquals(Set.of(), windows);
        for (int second = 0; second < 7_200; second++) {
            poll(0, 0, 0);
        }
        assertEquals(Set.of(Window.at(T0).endMs() + HOUR, Window.at(T0).endMs() + 2 * HOUR), windows);
    }

    /** The clock of this process was a month ahead when it was started: what the brokers say counts. */
    @Test
    void brokersTimeOverridesOwnClock() {
        steadyMs = T0 + 30 * DAY;
        for (int second = 0; second < 600; second++) {
            poll(-30 * DAY, -30 * DAY, -30 * DAY);
        }
        assertEquals(Set.of(Window.at(T0).endMs()), windows);
    }

    @Test
    void fourPartitionsCountAtOnceFewerLater() {
        assertFalse(clock.certain());
        clock.arrived(Topics.QUOTES_RAW, 0, T0);
        clock.arrived(Topics.QUOTES_RAW, 1, T0 + 2 * DAY);
        clock.arrived(Topics.QUOTES_RAW, 2, T0);
        assertFalse(clock.certain());
        steadyMs += 10_000;
        assertTrue(clock.certain());
        assertEquals(steadyMs, clock.nowMs());
        var other = new BrokerClock(() -> T0, Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW);
        for (int partition = 0; partition < 4; partition++) {
            assertFalse(other.certain());
            other.arrived(Topics.QUOTES_RAW, partition, T0);
        }
        assertTrue(other.certain());
    }

    /** A quiet topic goes on with the steady clock, however long. */
    @Test
    void timeGoesOnWithoutRecords() {
        poll(0, 0);
        steadyMs += 32 * DAY;
        assertEquals(steadyMs, clock.nowMs());
    }

    @Test
    void whatCannotBeMadeHoldsNothingUp() {
        var made = new TreeSet<String>();
        var names = List.of("A", "B", "C");
        agree();
        for (int tick = 0; tick < 3; tick++) {
            steadyMs += 1_000;
            try {
                schedule.tick(() -> names, (asset, window) -> {
                    if (asset.equals("B")) {
                        throw new ArithmeticException("of this asset alone");
                    }
                    made.add(asset);
                });
            } catch (ArithmeticException e) {
                assertEquals("of this asset alone", e.getMessage());
            }
        }
        assertEquals(Set.of("A", "C"), made);
    }
}
