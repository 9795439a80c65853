package io.fundingobservatory.streams.processing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

/** What a fault of a record costs is in {@code RefusedRecordsTest}. */
class UnforeseenFailuresTest {
    private static final ErrorHandlerContext CONTEXT = (ErrorHandlerContext) Proxy.newProxyInstance(
            ErrorHandlerContext.class.getClassLoader(),
            new Class<?>[] {ErrorHandlerContext.class},
            (proxy, method, arguments) -> null);

    /** A fault of Kafka, of a store or of memory costs the transaction, and no record. */
    @Test
    void failureOfKafkaAbortsTransaction() {
        for (Exception failure : new Exception[] {
            new TimeoutException("no response"),
            new IllegalStateException(new KafkaException("a store is closed")),
            new RuntimeException(new OutOfMemoryError("heap"))
        }) {
            var response = new UnforeseenFailures().handleError(CONTEXT, new Record<>("k", "v", 0), failure);
            assertEquals(ProcessingExceptionHandler.Result.FAIL, response.result(), failure::toString);
        }
    }
}
