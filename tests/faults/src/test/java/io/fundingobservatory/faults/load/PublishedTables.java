package io.fundingobservatory.faults.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Watches the end of {@code carry.pairs}: the newest committed table of each asset. */
public final class PublishedTables implements AutoCloseable {
    private final Map<String, byte[]> newest = new ConcurrentHashMap<>();
    private final TopicTail tail;

    public PublishedTables(String brokers) {
        tail = new TopicTail(brokers, Topics.CARRY_PAIRS, table -> {
            String asset = new String(table.key(), UTF_8);
            if (table.value() == null) {
                newest.remove(asset);
            } else {
                newest.put(asset, table.value());
            }
        });
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
