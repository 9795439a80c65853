package io.fundingobservatory.faults.invariants;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** While some exchanges misbehave, polls of all others come late by less than 2 s, 99 of 100. */
public final class Isolation implements Invariant {
    private static final Duration MOST = Duration.ofSeconds(2);

    private final Set<String> faulty;
    private final Duration interval;
    private final Map<String, Long> lastPoll = new HashMap<>();
    private final List<Long> lateMs = new ArrayList<>();

    /**
     * Nothing seen yet.
     *
     * @param faulty exchanges that misbehave
     * @param interval between two polls
     */
    public Isolation(Set<String> faulty, Duration interval) {
        this.faulty = Set.copyOf(faulty);
        this.interval = interval;
    }

    /** A poll of an exchange, as its status said. */
    public void polled(String venue, long atMs) {
        if (faulty.contains(venue)) {
            return;
        }
        Long before = lastPoll.put(venue, atMs);
        if (before != null && atMs > before) {
            lateMs.add(Math.max(0, atMs - before - interval.toMillis()));
        }
    }

    public int polls() {
        return lateMs.size();
    }

    public long p99Ms() {
        var sorted = new ArrayList<>(lateMs);
        Collections.sort(sorted);
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1);
    }

    @Override
    public List<String> violations() {
        return p99Ms() < MOST.toMillis()
                ? List.of()
                : List.of("polls of other exchanges are late by " + p99Ms() + " ms (p99)");
    }
}
