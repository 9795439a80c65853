package io.fundingobservatory.streams.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.payments.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much of a thread's time figures over the window take, and which come first. */
class RecomputeScheduleTest {
    private static final List<String> ASSETS =
            IntStream.range(0, 10_000).mapToObj(i -> "A" + i).toList();

    private long steadyMs = 1_790_000_000_000L;
    private final BrokerClock clock = new BrokerClock(() -> steadyMs);

    @BeforeEach
    void theTimeIsKnown() {
        for (int partition = 0; partition < 6; partition++) {
            clock.arrived(partition, steadyMs);
        }
    }

    private RecomputeSchedule[] fourTasks() {
        var budget = new WorkBudget(() -> steadyMs);
        var tasks = new RecomputeSchedule[4];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = new RecomputeSchedule(clock, budget, Duration.ofSeconds(10));
        }
        return tasks;
    }

    /** One piece of work after the other, of 5 ms each; how many ms all tasks worked. */
    private long tick(RecomputeSchedule[] tasks) {
        long began = steadyMs;
        for (var task : tasks) {
            task.tick(() -> ASSETS, (asset, window) -> steadyMs += 5);
        }
        return steadyMs - began;
    }

    /** Four tasks of a thread, each with an hour's work: no quote waits longer than for a tenth of a second and one table. */
    @Test
    void allTasksOfAThreadShareOneBudget() {
        RecomputeSchedule[] tasks = fourTasks();
        for (int second = 0; second < 10; second++) {
            assertEquals(100, tick(tasks));
            steadyMs += 10_000;
        }
    }

    /** A thread looks at its clock between records: its ticks come a little late, and not all by as much. */
    @Test
    void twoFifthsOfTheTimeAreWorkedHoweverRaggedTheTicks() {
        RecomputeSchedule[] tasks = fourTasks();
        var random = new Random(1);
        tick(tasks);
        long began = steadyMs;
        long worked = 0;
        for (long due = began + 200; due < began + 20_000; due += 200) {
            steadyMs = Math.max(steadyMs, due + random.nextInt(40));
            worked += tick(tasks);
        }
        assertEquals(0.4, (double) worked / (steadyMs - began), 0.02);
    }

    /** Late changes never end while a backfill goes on; a table of another task of the thread that is due waits for none. */
    @Test
    void whatIsDueOfAnyTaskGoesBeforeWhatIsLate() {
        var budget = new WorkBudget(() -> steadyMs);
        var made = new HashMap<String, Integer>();
        var tasks = new ArrayList<RecomputeSchedule>();
        for (int task = 0; task < 3; task++) {
            tasks.add(new RecomputeSchedule(clock, budget, Duration.ofSeconds(10)));
        }
        long began = steadyMs;
        while (made.size() < 333) {
            assertTrue(steadyMs - began < 2 * 333 * 15 / 0.4, () -> "tables after all that time: " + made.size());
            for (int task = 0; task < 3; task++) {
                List<String> assets = assets(task);
                assets.forEach(tasks.get(task)::changed);
                tasks.get(task).tick(() -> assets, (asset, window) -> {
                    steadyMs += 15;
                    made.merge(asset, 1, Integer::sum);
                });
            }
            steadyMs += 200;
        }
    }

    private static List<String> assets(int task) {
        return ASSETS.subList(task * 111, (task + 1) * 111);
    }

    /** A day of records is read within a minute and a half: tables of its first hour, and of the present one. */
    @Test
    void aBacklogMakesNoTablesOfTheHoursInBetween() {
        var reading = new BrokerClock(() -> steadyMs);
        var schedule = new RecomputeSchedule(reading, new WorkBudget(() -> steadyMs), Duration.ofSeconds(10));
        var windows = new TreeSet<Long>();
        long stampMs = steadyMs - Window.DAY_MS;
        for (int step = 0; step < 1_200; step++) {
            steadyMs += 100;
            stampMs = Math.min(steadyMs, stampMs + 100_000);
            for (int partition = 0; partition < 6; partition++) {
                reading.arrived(partition, stampMs);
            }
            schedule.tick(() -> List.of("A"), (asset, window) -> windows.add(window.endMs()));
        }
        assertEquals(Window.at(steadyMs).endMs(), windows.getLast());
        assertEquals(2, windows.size(), windows::toString);
    }

    /** What is charged after the window ends is in no table before the next window. */
    @Test
    void aPaymentBehindTheWindowMakesNoTableDue() {
        var schedule = new RecomputeSchedule(clock, new WorkBudget(() -> steadyMs), Duration.ofSeconds(10));
        schedule.tick(() -> List.of("A"), (asset, window) -> {});
        long endMs = Window.at(steadyMs).endMs();
        assertTrue(schedule.concerns(endMs));
        assertTrue(schedule.concerns(endMs + 60_000), "it may be the charge at the end");
        assertFalse(schedule.concerns(endMs + Window.HOUR_MS));
    }

    @Test
    void lateChangesHaveHalfOfTheBudgetAndWaitForWhatIsDue() {
        var schedule = new RecomputeSchedule(clock, new WorkBudget(() -> steadyMs), Duration.ofSeconds(10));
        var made = new ArrayList<String>();
        schedule.tick(() -> List.of("A", "B"), (asset, window) -> made.add(asset));
        ASSETS.forEach(schedule::changed);
        schedule.changed("B");
        steadyMs += 10_000;
        schedule.tick(() -> List.of(), (asset, window) -> {
            steadyMs += 5;
            made.add(asset);
        });
        assertEquals(List.of("A", "B", "A0"), made.subList(0, 3));
        assertEquals(2 + 10, made.size(), "50 ms of 5 each");
    }
}
