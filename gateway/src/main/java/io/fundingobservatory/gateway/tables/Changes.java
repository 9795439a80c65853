package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.pairs.AssetPairs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What has changed in the tables since the publisher last took it. Written by the table thread, taken by the publisher. */
public final class Changes {
    private final Set<String> venues = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean statuses = new AtomicBoolean();
    private final Map<String, Optional<AssetPairs>> pairs = new ConcurrentHashMap<>();
    private volatile PairTables pairTables = PairTables.RESTORING;
    private final Semaphore signal = new Semaphore(0);

    /** Whether a ranking can be made. */
    public enum PairTables {
        /** Not all tables that were there at the start have been handed over: a ranking would be of some. */
        RESTORING,
        /** All have been; from then on the tables are followed, with interruptions or without. */
        RESTORED,
        /** The topic could not be read for a while, and has not been read in this process. */
        UNREADABLE
    }

    /** Rows of an exchange have changed, or are to be read again. */
    public void rowsOf(String venue) {
        // Marked after the store holds the record, so that the publisher, which takes the mark, reads the record.
        if (venues.add(venue)) {
            signal.release();
        }
    }

    /** A status or a quality has changed, or all are to be read again. */
    public void statuses() {
        if (!statuses.getAndSet(true)) {
            signal.release();
        }
    }

    /** The newest pair table of an asset; empty when it was removed. */
    void pairsOf(String asset, Optional<AssetPairs> table) {
        pairs.put(asset, table);
    }

    /** How it stands with the pair tables; restored ones stay so. */
    public void pairTables(PairTables now) {
        if (pairTables != PairTables.RESTORED) {
            pairTables = now;
        }
    }

    /** How it stands with the pair tables. */
    public PairTables pairTables() {
        return pairTables;
    }

    /** Returns as soon as rows or statuses have changed, or after the time given, in milliseconds. */
    public void await(long millis) throws InterruptedException {
        if (signal.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
            signal.drainPermits();
        }
    }

    /** The exchanges whose rows changed. */
    public Set<String> takeVenues() {
        Set<String> taken = Set.copyOf(venues);
        venues.removeAll(taken);
        return taken;
    }

    /** Whether what is known of an exchange has changed: its status or its quality. */
    public boolean takeStatuses() {
        return statuses.getAndSet(false);
    }

    /** The pair tables that changed, by asset, empty where one was removed; nothing else keeps them. */
    public Map<String, Optional<AssetPairs>> takePairs() {
        var taken = new HashMap<String, Optional<AssetPairs>>();
        pairs.keySet().forEach(asset -> {
            Optional<AssetPairs> table = pairs.remove(asset);
            if (table != null) {
                taken.put(asset, table);
            }
        });
        return taken;
    }
}
