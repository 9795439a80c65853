package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.streams.settlements.Window;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which values over the window are computed again. Changes of some seconds are gathered; all values are due when the window moves. A tick
 * works for 150 ms at most, far less than a transaction may last.
 */
final class Recomputation {
    private static final long WORKS_FOR_MS = 150;

    private final TaskTime time;
    private final long gatheringMs;
    private final Set<String> changed = new LinkedHashSet<>();
    private final LinkedHashSet<String> due = new LinkedHashSet<>();
    private @Nullable Window window;
    private long gatheredAtMs;

    /** Changes are gathered for {@code gatheringMs}. */
    Recomputation(TaskTime time, long gatheringMs) {
        this.time = time;
        this.gatheringMs = gatheringMs;
    }

    /**
     * Begins from scratch after a start or a revival of the task.
     *
     * @param outdated those to compute although the window does not move
     */
    void begin(Set<String> outdated) {
        changed.clear();
        due.clear();
        due.addAll(outdated);
        window = time.isKnown() ? Window.at(time.nowMs()) : null;
    }

    void changed(String name) {
        changed.add(name);
    }

    /** Computes what is due; {@code all} are due when the window has moved since the last tick. */
    void tick(Set<String> all, BiConsumer<String, Window> work) {
        if (!time.isKnown()) {
            return;
        }
        long nowMs = time.nowMs();
        Window now = Window.at(nowMs);
        if (!now.equals(window)) {
            window = now;
            due.addAll(all);
        }
        if (Math.abs(nowMs - gatheredAtMs) >= gatheringMs) {
            gatheredAtMs = nowMs;
            due.addAll(changed);
            changed.clear();
        }
        while (!due.isEmpty() && time.nowMs() - nowMs < WORKS_FOR_MS) {
            // Off the list before it is computed: one that cannot be must not hold up the others.
            work.accept(due.removeFirst(), now);
        }
    }
}
