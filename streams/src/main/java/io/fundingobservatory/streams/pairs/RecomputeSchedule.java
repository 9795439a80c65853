package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.settlements.Window;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * Decides which values over the window are computed again, and when. All are computed at a start and as the
 * hour moves on. Values of which a part became known late are computed after those that are due. The first change
 * of a value is worked in at once. While it goes on changing it waits longer each time, up to an interval.
 * A tick works for a tenth of a second at most, so that records and other tasks of the thread do not wait.
 *
 * <p>The window moves on with the brokers' time, also over a restart. It falls back only when both that time
 * and the process's own time are before its end. Then the stamps that had moved it were wrong.
 */
final class RecomputeSchedule {
    private static final Duration TICK = Duration.ofMillis(200);

    private static final long WORKS_FOR_MS = 100;

    private final BrokerClock clock;
    private final Backlog backlog = new Backlog();
    private final long gatheringMs;
    private final Set<String> changed = new LinkedHashSet<>();
    private final Set<String> due = new LinkedHashSet<>();
    private final Map<String, Made> made = new HashMap<>();
    private @Nullable Window window;
    private @Nullable Cancellable ticking;

    /** When a value was made last, epoch ms, and how long its next change waits after that. */
    private record Made(long atMs, long waitMs) {}

    /** {@code gathering} is the longest time that changes of one value wait for each other. */
    RecomputeSchedule(BrokerClock clock, Duration gathering) {
        this.clock = clock;
        this.gatheringMs = gathering.toMillis();
    }

    /** Begins from scratch after a start or a revival of the task. */
    void clear() {
        changed.clear();
        due.clear();
        made.clear();
        window = null;
    }

    /** Works at each tick from now on. Outdated values are made without waiting for another window. */
    void start(
            ProcessorContext<?, ?> context,
            Supplier<? extends Collection<String>> all,
            Predicate<String> outdated,
            BiConsumer<String, Window> work) {
        due.addAll(all.get().stream().filter(outdated).toList());
        ticking = context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, tick -> tick(all, work));
    }

    void stop() {
        if (ticking != null) {
            ticking.cancel();
        }
    }

    /** A window that values were made for before. */
    void made(long windowEndMs) {
        window = window == null || windowEndMs > window.endMs() ? new Window(windowEndMs) : window;
    }

    void changed(String name) {
        changed.add(name);
    }

    void tick(Supplier<? extends Collection<String>> all, BiConsumer<String, Window> work) {
        if (!clock.certain()) {
            return;
        }
        Window current = window(window);
        if (!current.equals(window)) {
            window = current;
            due.addAll(all.get());
        }
        long nowMs = clock.ownMs();
        Predicate<String> gathered = name -> isGathered(name, nowMs);
        changed.removeIf(gathered.and(due::contains));
        long untilMs = nowMs + WORKS_FOR_MS;
        make(due, name -> true, untilMs, name -> work.accept(name, current));
        make(changed, gathered, untilMs, name -> work.accept(name, current));
    }

    /** Off the list before it is made: one that cannot be made must not hold up the others. */
    private void make(Set<String> names, Predicate<String> which, long untilMs, Consumer<String> work) {
        for (var next = names.iterator(); next.hasNext() && clock.ownMs() < untilMs; ) {
            String name = next.next();
            if (which.test(name)) {
                next.remove();
                made.put(name, after(made.get(name), clock.ownMs()));
                work.accept(name);
            }
        }
    }

    private boolean isGathered(String name, long nowMs) {
        Made last = made.get(name);
        return last == null || nowMs - last.atMs >= last.waitMs;
    }

    /** A tenth of the interval at first: after a start, what waited to be read arrives in pieces. Then twice as long each time. */
    private Made after(@Nullable Made last, long nowMs) {
        if (last == null || nowMs - last.atMs >= 2 * gatheringMs) {
            return new Made(nowMs, gatheringMs / 10);
        }
        return new Made(nowMs, Math.min(gatheringMs, 2 * last.waitMs));
    }

    private Window window(@Nullable Window before) {
        long nowMs = clock.nowMs();
        Window now = Window.at(nowMs);
        boolean notYet = before != null && nowMs < before.endMs() && clock.ownMs() < before.endMs();
        boolean waits = backlog.isBeingRead(clock.ownMs(), nowMs);
        return before == null || notYet || (now.endMs() > before.endMs() && !waits) ? now : before;
    }

    /**
     * Whether a backlog is being read: the brokers' time, as the stamps of records tell it, then runs many times as fast as a clock. The tables
     * of each hour in between would be replaced seconds later.
     */
    private static final class Backlog {
        private static final long SAMPLE_MS = 5_000;

        /** Four times as fast as a clock. */
        private static final long RISES_BY_MS = 3 * SAMPLE_MS;

        private boolean begun;
        private long sampledAtMs;
        private long aheadMs;
        private boolean beingRead;

        /** Takes a sample of a clock that never jumps and of the brokers' time, both in epoch ms. */
        private boolean isBeingRead(long steadyMs, long nowMs) {
            long ahead = nowMs - steadyMs;
            if (!begun || ahead - aheadMs > RISES_BY_MS || steadyMs - sampledAtMs >= SAMPLE_MS) {
                beingRead = begun && ahead - aheadMs > RISES_BY_MS;
                begun = true;
                sampledAtMs = steadyMs;
                aheadMs = ahead;
            }
            return beingRead;
        }
    }
}
