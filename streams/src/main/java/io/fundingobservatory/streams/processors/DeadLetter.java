package io.fundingobservatory.streams.processors;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** A record that was refused: its own key, bytes and headers, with reason, stage and source position added to these. */
public final class DeadLetter {
    /** Of a record at which a processor failed: a fault of ours, and nothing of it was kept. */
    public static final String PROCESSING_FAILED = "processing_failed";

    private DeadLetter() {}

    static Record<byte[], byte[]> of(
            Record<byte[], byte[]> record,
            String stage,
            String reason,
            String detail,
            Optional<RecordMetadata> source) {
        address(record.headers(), stage, reason, detail);
        source.ifPresent(from -> origin(record.headers(), from.topic(), from.partition(), from.offset()));
        return record;
    }

    /** Says in a record's headers why and where it was refused. */
    public static void address(Headers headers, String stage, String reason, String detail) {
        set(headers, "reason", reason);
        set(headers, "detail", detail);
        set(headers, "stage", stage);
    }

    /** Says in a record's headers where it came from. */
    public static void origin(Headers headers, String topic, int partition, long offset) {
        set(headers, "source-topic", topic);
        set(headers, "source-partition", Integer.toString(partition));
        set(headers, "source-offset", Long.toString(offset));
    }

    private static void set(Headers headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(UTF_8));
    }
}
