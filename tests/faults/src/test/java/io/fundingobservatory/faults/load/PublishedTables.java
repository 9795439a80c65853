package io.fundingobservatory.faults.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Watches the end of {@code carry.pairs}: the newest committed table of each asset. */
public final class PublishedTables implements AutoCloseable {
    private final Map<String, byte[]> newest = new ConcurrentHashMap<>();
    private volatile BiPredicate<String, byte[]> expected = (asset, table) -> true;
    private volatile @Nullable String unexpected;
    private final TopicTail tail;

    public PublishedTables(String brokers) {
        tail = new TopicTail(brokers, Topics.CARRY_PAIRS, table -> {
            String asset = new String(table.key(), UTF_8);
            if (table.value() == null) {
                newest.remove(asset);
            } else {
                if (!expected.test(asset, table.value())) {
                    unexpected = asset;
                }
                newest.put(asset, table.value());
            }
        });
    }

    /** Forgets all tables: each has to be published again, and each that is has to be as expected. */
    public void forget(BiPredicate<String, byte[]> expected) {
        this.expected = expected;
        newest.clear();
    }

    /** The asset of a table that was not as expected; null when all were. */
    public @Nullable String unexpected() {
        return unexpected;
    }

    /** By asset, as far as they were published since this one was made. */
    public Map<String, byte[]> newest() {
        return Map.copyOf(newest);
    }

    /** How many assets have a table. */
    public int count() {
        return newest.size();
    }

    /** Waits until the table of an asset, null for none, fulfils a condition. */
    public boolean await(String asset, Predicate<byte @Nullable []> condition, Duration patience)
            throws InterruptedException {
        return tail.await(patience, () -> condition.test(newest.get(asset)));
    }

    @Override
    public void close() {
        tail.close();
    }
}
