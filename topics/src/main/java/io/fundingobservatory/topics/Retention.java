package io.fundingobservatory.topics;

import java.time.Duration;
import java.util.Map;

/** How long a topic keeps its records: for a time, or the newest of each key. */
public sealed interface Retention {
    /** Records are deleted once they are older than {@code age}. */
    record Delete(Duration age) implements Retention {}

    /**
     * Records are deleted once they are older than {@code age}, and carry the time at which the broker took them. For what comes from
     * outside: that time is neither the writer's clock nor the reader's.
     */
    record DeleteStamped(Duration age) implements Retention {}

    /** The newest record of each key is kept; tombstones remove a key. */
    record Compact() implements Retention {}

    /** The topic configuration as the broker takes it. */
    default Map<String, String> config() {
        return switch (this) {
            case Delete(Duration age) -> deletedAfter(age, "CreateTime");
            case DeleteStamped(Duration age) -> deletedAfter(age, "LogAppendTime");
            // Small segments and a quick cleaner: a reader that starts afresh replays little more than one record a
            // key.
            case Compact() ->
                Map.of(
                        "cleanup.policy",
                        "compact",
                        "segment.ms",
                        "600000",
                        "min.cleanable.dirty.ratio",
                        "0.2",
                        "compression.type",
                        "producer");
        };
    }

    private static Map<String, String> deletedAfter(Duration age, String timestamps) {
        return Map.of(
                "cleanup.policy",
                "delete",
                "retention.ms",
                Long.toString(age.toMillis()),
                "message.timestamp.type",
                timestamps,
                "compression.type",
                "producer");
    }
}
