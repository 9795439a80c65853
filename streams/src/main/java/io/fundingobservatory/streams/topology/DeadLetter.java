package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A record that was refused, with its own bytes.
 *
 * @param bytes the value as it came; null when it came without one
 */
record DeadLetter(@Nullable Bytes bytes) {
    static final String REASON = "reason";
    static final String DETAIL = "detail";
    static final String STAGE = "stage";
    static final String SOURCE_TOPIC = "source-topic";
    static final String SOURCE_PARTITION = "source-partition";
    static final String SOURCE_OFFSET = "source-offset";

    byte @Nullable [] value() {
        return bytes == null ? null : bytes.get();
    }

    /** Says in the record's headers why and where it was refused, and where it came from. */
    static void address(Headers headers, String stage, String reason, String detail, Optional<RecordMetadata> source) {
        set(headers, REASON, reason);
        set(headers, DETAIL, detail);
        set(headers, STAGE, stage);
        source.ifPresent(from -> {
            set(headers, SOURCE_TOPIC, from.topic());
            set(headers, SOURCE_PARTITION, Integer.toString(from.partition()));
            set(headers, SOURCE_OFFSET, Long.toString(from.offset()));
        });
    }

    private static void set(Headers headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(UTF_8));
    }
}
