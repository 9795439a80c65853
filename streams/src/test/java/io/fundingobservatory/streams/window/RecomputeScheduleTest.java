package io.fundingobservatory.streams.window;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.streams.clock.BrokerClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
