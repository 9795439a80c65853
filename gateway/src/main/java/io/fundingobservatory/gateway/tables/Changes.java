package io.fundingobservatory.gateway.tables;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What has changed in the tables since the publisher last looked. Written by the table thread, taken by the publisher. */
final class Changes {
    private final Set<String> venues = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean statuses = new AtomicBoolean();
    private final Set<String> assets = ConcurrentHashMap.newKeySet();
    private final Semaphore signal = new Semaphore(0);

    void rowsOf(String venue) {
        // Marked after the store holds the record, so that whoever takes the mark sees the record.
        if (venues.add(venue)) {
            signal.release();
        }
    }

    void statuses() {
        if (!statuses.getAndSet(true)) {
            signal.release();
        }
    }

    void pairsOf(String asset) {
        if (assets.add(asset)) {
            signal.release();
        }
    }

    /** Something was left for the next look. */
    void lookAgain() {
        signal.release();
    }

    /** Returns as soon as something has changed, or after the time given. */
    void await(long millis) throws InterruptedException {
        if (signal.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
            signal.drainPermits();
        }
    }

    Set<String> takeVenues() {
        Set<String> taken = Set.copyOf(venues);
        venues.removeAll(taken);
        return taken;
    }

    Set<String> takeAssets() {
        Set<String> taken = Set.copyOf(assets);
        assets.removeAll(taken);
        return taken;
    }

    boolean takeStatuses() {
        return statuses.getAndSet(false);
    }
}
