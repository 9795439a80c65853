package io.fundingobservatory.streams.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.topics.Topics;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

/** A fault of a record costs that record; a fault of Kafka, of a store or of memory costs the transaction, and no record. */
class UnforeseenFailuresTest {
    private static final byte[] KEY = "okx|BTC".getBytes(UTF_8);
    private static final byte[] VALUE = {1, 2, 3};

    /** When the broker took the record. */
    private static final long STAMP_MS = 1_790_000_000_000L;

    private final UnforeseenFailures failures = new UnforeseenFailures();

    private record Context(String topic, String processorNodeId) implements ErrorHandlerContext {
        @Override
        public int partition() {
            return 4;
        }

        @Override
        public long offset() {
            return 17;
        }

        @Override
        public Headers headers() {
            return new RecordHeaders().add("schema", "quote/1".getBytes(UTF_8));
        }

        @Override
        public TaskId taskId() {
            return new TaskId(0, 4);
        }

        @Override
        public long timestamp() {
            return STAMP_MS;
        }

        @Override
        public byte[] sourceRawKey() {
            return KEY;
        }

        @Override
        public byte[] sourceRawValue() {
            return VALUE;
        }
    }

    private static final Context OF_A_RECORD = new Context("quotes.raw", "quotes");
    private static final Context OF_A_TICK = new Context(null, "pair-tables");

    @Test
    void failingRecordIsUnchangedDeadLetter() {
        var response = failures.handleError(OF_A_RECORD, new Record<>("k", "v", 0), new ArithmeticException("/ 0"));
        assertEquals(ProcessingExceptionHandler.Result.RESUME, response.result());
        assertLetter(response.deadLetterQueueRecords().getFirst(), "quotes", "ArithmeticException");
        assertEquals(1, response.deadLetterQueueRecords().size());
    }

    @Test
    void failingTickHasNoDeadLetter() {
        var response = failures.handleError(OF_A_TICK, (Record<?, ?>) null, new ArithmeticException("/ 0"));
        assertEquals(ProcessingExceptionHandler.Result.RESUME, response.result());
        assertEquals(0, response.deadLetterQueueRecords().size());
    }

    @Test
    void failureOfKafkaAbortsTransaction() {
        for (Exception failure : new Exception[] {
            new TimeoutException("no response"),
            new IllegalStateException(new KafkaException("a store is closed")),
            new RuntimeException(new OutOfMemoryError("heap"))
        }) {
            var response = failures.handleError(OF_A_RECORD, new Record<>("k", "v", 0), failure);
            assertEquals(ProcessingExceptionHandler.Result.FAIL, response.result(), failure::toString);
        }
    }

    private static void assertLetter(ProducerRecord<byte[], byte[]> letter, String stage, String detail) {
        assertEquals(Topics.DEAD_LETTERS.name(), letter.topic());
        assertEquals(STAMP_MS, letter.timestamp());
        assertArrayEquals(KEY, letter.key());
        assertArrayEquals(VALUE, letter.value());
        assertEquals("processing_failed", header(letter, "reason"));
        assertEquals(stage, header(letter, "stage"));
        assertEquals(detail, header(letter, "detail"));
        assertEquals("quotes.raw", header(letter, "source-topic"));
        assertEquals("4", header(letter, "source-partition"));
        assertEquals("17", header(letter, "source-offset"));
        assertEquals("quote/1", header(letter, "schema"), "with the headers that it came with");
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }
}
