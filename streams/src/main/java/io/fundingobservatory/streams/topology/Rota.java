package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.carry.Window;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whose figures over the window are made anew, and when: everybody's as the hour moves on, and from time to time those of which
 * something became known late. A little at a time, so that rates do not wait. The window never moves back, not even by a restart.
 */
final class Rota {
    static final Duration TICK = Duration.ofSeconds(1);

    private static final long WORK_EACH_TICK_MS = 250;

    private final ArrivalClock clock;
    private final LongSupplier steadyMs;
    private final long gatheringMs;
    private final Set<String> changed = new LinkedHashSet<>();
    private final Set<String> due = new LinkedHashSet<>();
    private long gatheredAtMs;
    private @Nullable Window window;

    /**
     * A rota on which nobody stands.
     *
     * @param gathering changes of so long are worked in at once
     */
    Rota(ArrivalClock clock, LongSupplier steadyMs, Duration gathering) {
        this.clock = clock;
        this.steadyMs = steadyMs;
        this.gatheringMs = gathering.toMillis();
    }

    /** A window that figures were made for before. */
    void made(long windowEndMs) {
        window = window == null || windowEndMs > window.endMs() ? new Window(windowEndMs) : window;
    }

    /** After a start all are due. */
    void begin(Collection<String> names) {
        due.addAll(names);
        gatheredAtMs = steadyMs.getAsLong();
    }

    void changed(String name) {
        changed.add(name);
    }

    /** The newest record tells the time: those of many partitions meet, and some are far behind. */
    void arrived(long recordMs) {
        if (!clock.certain() || recordMs > clock.nowMs()) {
            clock.arrived(recordMs);
        }
    }

    /**
     * Works for a while.
     *
     * @param all everybody who has figures
     * @param work makes those of one
     */
    void tick(Supplier<? extends Collection<String>> all, BiConsumer<String, Window> work) {
        if (!clock.certain()) {
            return;
        }
        long begunAtMs = steadyMs.getAsLong();
        Window now = Window.at(clock.nowMs());
        if (window == null || now.endMs() > window.endMs()) {
            window = now;
            due.addAll(all.get());
        }
        if (begunAtMs - gatheredAtMs >= gatheringMs) {
            gatheredAtMs = begunAtMs;
            due.addAll(changed);
            changed.clear();
        }
        for (var next = due.iterator(); next.hasNext() && steadyMs.getAsLong() - begunAtMs < WORK_EACH_TICK_MS; ) {
            work.accept(next.next(), window);
            next.remove();
        }
    }
}
