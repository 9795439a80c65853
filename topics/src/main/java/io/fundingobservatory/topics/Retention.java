package io.fundingobservatory.topics;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** How long a topic keeps its records: for a time, or the newest of each key. */
public sealed interface Retention {
    /** The size at which a segment is closed; only closed ones are deleted or compacted. */
    int SEGMENT_BYTES = 64 << 20;

    /** No limit of size. */
    long UNBOUNDED = -1;

    /** Disables the broker's check of producer timestamps. */
    String ANY = Long.toString(Long.MAX_VALUE);

    /**
     * Records are deleted once they are older than {@code age}; on a small disk also once a partition
     * has grown beyond {@code bytes}.
     */
    record Delete(Duration age, long bytes) implements Retention {
        Delete(Duration age) {
            this(age, UNBOUNDED);
        }
    }

    /**
     * Records are deleted once they are older than {@code age}, and carry the time at which the broker took them. For what comes from
     * outside: that time is neither the writer's clock nor the reader's. On a small disk {@code bytes} bounds a partition as well.
     */
    record DeleteStamped(Duration age, long bytes) implements Retention {
        DeleteStamped(Duration age) {
            this(age, UNBOUNDED);
        }
    }

    /** The newest record of each key is kept; tombstones remove a key. */
    record Compact() implements Retention {}

    /** The same, and records carry the time at which the broker took them. */
    record CompactStamped() implements Retention {}

    /** The settings of a topic that keep records so; whether partitions are bounded by size as well. */
    default Map<String, String> config(boolean boundedBySize) {
        var config = new HashMap<String, String>();
        config.put("compression.type", "producer");
        // No patterns in a switch: consumers on Java 17 load this module.
        if (this instanceof Delete delete) {
            deletedAfter(config, delete.age(), boundedBySize ? delete.bytes() : UNBOUNDED);
            // Stamped with the time of the record that they follow from: a broker whose clock is days off must not make
            // the others refuse what its records become.
            config.put("message.timestamp.type", "CreateTime");
            config.put("message.timestamp.after.max.ms", ANY);
        } else if (this instanceof DeleteStamped delete) {
            deletedAfter(config, delete.age(), boundedBySize ? delete.bytes() : UNBOUNDED);
            config.put("message.timestamp.type", "LogAppendTime");
        } else {
            // Small segments and a quick cleaner: a reader that starts afresh replays little more than one record a
            // key.
            config.put("cleanup.policy", "compact");
            config.put("segment.ms", millis(Duration.ofMinutes(10)));
            config.put("segment.bytes", Integer.toString(SEGMENT_BYTES));
            config.put("min.cleanable.dirty.ratio", "0.1");
            config.put("max.compaction.lag.ms", millis(Duration.ofMinutes(30)));
            if (this instanceof CompactStamped) {
                config.put("message.timestamp.type", "LogAppendTime");
            } else {
                config.put("message.timestamp.after.max.ms", ANY);
            }
        }
        return Map.copyOf(config);
    }

    /** A record is gone at most one segment of 6 hours, or 64 MB, after its age. */
    private static void deletedAfter(Map<String, String> config, Duration age, long bytes) {
        config.put("cleanup.policy", "delete");
        config.put("retention.ms", millis(age));
        config.put("retention.bytes", Long.toString(bytes));
        // Half of what lz4 leaves of these rows: 38 and 48 bytes of a quote and of a row, in batches of 80.
        config.put("compression.type", "zstd");
        config.put("segment.ms", millis(Duration.ofHours(6)));
        config.put("segment.bytes", Integer.toString(SEGMENT_BYTES));
    }

    private static String millis(Duration time) {
        return Long.toString(time.toMillis());
    }
}
