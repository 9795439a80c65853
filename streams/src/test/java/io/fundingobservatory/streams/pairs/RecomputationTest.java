package io.fundingobservatory.streams.pairs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.streams.settlements.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecomputationTest {
    private static final long T = 500_000 * Window.HOUR_MS;
    private static final Set<String> ALL =
            new TreeSet<>(IntStream.range(0, 10).mapToObj(i -> "A" + i).collect(Collectors.toSet()));

    private long steadyMs = Window.earliestAtMs(T);
    private long takesMs;
    private final TaskTime time = new TaskTime(() -> steadyMs);
    private final Recomputation recomputation = new Recomputation(time, 10_000);
    private final List<String> computed = new ArrayList<>();

    RecomputationTest() {
        time.arrived(steadyMs);
        recomputation.begin(Set.of());
    }

    private List<String> tick() {
        computed.clear();
        recomputation.tick(ALL, (name, window) -> {
            computed.add(name);
            steadyMs += takesMs;
        });
        return List.copyOf(computed);
    }

    /** A task that computes for longer delays its commit, and at the hour all assets are due. */
    @Test
    void tickComputesFor150MillisecondsAtMost() {
        assertEquals(List.of(), tick(), "nothing has changed");
        steadyMs += Window.HOUR_MS;
        takesMs = 50;
        assertEquals(List.of("A0", "A1", "A2"), tick());
        assertEquals(List.of("A3", "A4", "A5"), tick());
        takesMs = 149;
        assertEquals(List.of("A6", "A7"), tick());
        takesMs = 1_000;
        assertEquals(List.of("A8"), tick(), "one that takes longer");
        assertEquals(List.of("A9"), tick());
        assertEquals(List.of(), tick());
    }

    @Test
    void gathersChangesOfTenSeconds() {
        tick();
        recomputation.changed("A3");
        steadyMs += 9_999;
        assertEquals(List.of(), tick());
        recomputation.changed("A3");
        steadyMs += 1;
        assertEquals(List.of("A3"), tick());
        steadyMs += 10_000;
        assertEquals(List.of(), tick(), "once");
    }
}
