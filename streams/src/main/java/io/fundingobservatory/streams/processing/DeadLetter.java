package io.fundingobservatory.streams.processing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.Topics;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A record that was rejected: its own key, value and headers, with reason, stage and source position added to
 * the headers. Of a key or value of more than 1 MB the first MB is kept. A record of 9 MB can arrive
 * compressed into some kB, and no request takes it uncompressed.
 */
public final class DeadLetter {
    /** Of a record at which a processor failed: an internal error, and nothing of it was kept. */
    private static final String PROCESSING_FAILED = "processing_failed";

    /** With its key and headers a letter then fits into one request and into the topic, whatever it was made of. */
    private static final int MOST_BYTES = 1 << 20;

    private static final String TRUNCATED = "truncated";
    private static final String TRUNCATED_KEY = "truncated-key";
    private static final String TRUNCATED_HEADERS = "truncated-headers";

    private DeadLetter() {}

    /** The letter of a record that a processor rejected. */
    public static Record<byte[], byte[]> of(
            Record<byte[], byte[]> record,
            String stage,
            String reason,
            String detail,
            Optional<RecordMetadata> source) {
        Headers headers = record.headers();
        dropLarge(headers);
        address(headers, stage, reason, detail);
        source.ifPresent(from -> origin(headers, from.topic(), from.partition(), from.offset()));
        return new Record<>(
                cut(headers, TRUNCATED_KEY, record.key()),
                cut(headers, TRUNCATED, record.value()),
                record.timestamp(),
                headers);
    }

    /** The same of a record that Kafka Streams gives up; its key and value are those of the source. */
    public static ProducerRecord<byte[], byte[]> of(ErrorHandlerContext context, long arrivedMs, Exception failure) {
        Headers headers = new RecordHeaders(context.headers());
        dropLarge(headers);
        address(
                headers,
                context.processorNodeId(),
                PROCESSING_FAILED,
                failure.getClass().getSimpleName());
        origin(headers, context.topic(), context.partition(), context.offset());
        return new ProducerRecord<>(
                Topics.DEAD_LETTERS.name(),
                null,
                arrivedMs,
                cut(headers, TRUNCATED_KEY, context.sourceRawKey()),
                cut(headers, TRUNCATED, context.sourceRawValue()),
                headers);
    }

    /** The bytes, or the first MB of them; the header then has the length that they had. */
    private static byte @Nullable [] cut(Headers headers, String header, byte @Nullable [] bytes) {
        if (bytes == null || bytes.length <= MOST_BYTES) {
            return bytes;
        }
        set(headers, header, Integer.toString(bytes.length));
        return Arrays.copyOf(bytes, MOST_BYTES);
    }

    private static void dropLarge(Headers headers) {
        long bytes = 0;
        for (Header header : headers) {
            bytes += header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        if (bytes > MOST_BYTES) {
            for (Header header : headers.toArray()) {
                headers.remove(header.key());
            }
            set(headers, TRUNCATED_HEADERS, Long.toString(bytes));
        }
    }

    private static void address(Headers headers, String stage, String reason, String detail) {
        set(headers, "reason", reason);
        set(headers, "detail", detail);
        set(headers, "stage", stage);
    }

    private static void origin(Headers headers, String topic, int partition, long offset) {
        set(headers, "source-topic", topic);
        set(headers, "source-partition", Integer.toString(partition));
        set(headers, "source-offset", Long.toString(offset));
    }

    private static void set(Headers headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(UTF_8));
    }
}
