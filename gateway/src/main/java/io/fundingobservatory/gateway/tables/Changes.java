package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.pairs.AssetPairs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What has changed in the tables since the publisher last took it. Written by the table thread, taken by the publisher. */
public final class Changes {
    private final Set<String> venues = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean statuses = new AtomicBoolean();
    private final Map<String, AssetPairs> pairs = new ConcurrentHashMap<>();
    private final AtomicBoolean pairsChanged = new AtomicBoolean();
    private volatile PairTables pairTables = PairTables.RESTORING;
    private final Consumer<String> unreadable;

    /** {@code unreadable} receives the topic of each record that cannot be read. */
    public Changes(Consumer<String> unreadable) {
        this.unreadable = unreadable;
    }

    /** Whether a ranking can be made. */
    public enum PairTables {
        /** Not all tables that were there at the start have been handed over: a ranking would be of some. */
        RESTORING,
        /** All have been; from then on the tables are followed, with interruptions or without. */
        RESTORED,
        /** The topic could not be read, and has not been read in this process. */
        UNREADABLE
    }

    /** Applies one record to a store, and what it reports here. */
    synchronized void apply(Runnable record) {
        record.run();
    }

    /**
     * Reads the stores while no record is applied. An iterator of Kafka Streams' in-memory store reads a {@code TreeMap} without the
     * store's lock (4.3.1): next to a writer it may miss a key.
     */
    public synchronized <T> T whileStill(Supplier<T> reading) {
        return reading.get();
    }

    void unreadable(String topic) {
        unreadable.accept(topic);
    }

    /** Rows of an exchange have changed, or are to be read again. */
    public void rowsOf(String venue) {
        // Marked after the store holds the record, so that the publisher, which takes the mark, reads the record.
        venues.add(venue);
    }

    /** A status or a quality has changed, or all are to be read again. */
    public void statuses() {
        statuses.set(true);
    }

    /** The newest pair table of an asset; null when it was removed. */
    void pairsOf(String asset, @Nullable AssetPairs table) {
        pairs.compute(asset, (known, former) -> table);
        pairsChanged.set(true);
    }

    /** How it stands with the pair tables; restored ones stay so. */
    public void pairTables(PairTables now) {
        if (pairTables != PairTables.RESTORED) {
            pairTables = now;
        }
    }

    public PairTables pairTables() {
        return pairTables;
    }

    public Set<String> takeVenues() {
        Set<String> taken = Set.copyOf(venues);
        venues.removeAll(taken);
        return taken;
    }

    /** Whether what is known of an exchange has changed: its status or its quality. */
    public boolean takeStatuses() {
        return statuses.getAndSet(false);
    }

    public List<AssetPairs> pairs() {
        return List.copyOf(pairs.values());
    }

    public boolean takePairs() {
        return pairsChanged.getAndSet(false);
    }
}
