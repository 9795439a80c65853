package io.fundingobservatory.streams.processing;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a record at which something fails that nobody foresaw.
 *
 * <p>A fault of the record or of our arithmetic: the record goes to {@code dead-letters} as it came, and the next one is worked on.
 * Its processor has written nothing: everything is computed before the first write. A
 * failure of Kafka, of a store or of memory says nothing about the record: the transaction is aborted and the client starts again.
 * Values that cannot be made at a tick are left as they are until the next one.
 */
public final class UnforeseenFailures implements ProcessingExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(UnforeseenFailures.class);

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public Response handleError(ErrorHandlerContext context, Record<?, ?> record, Exception failure) {
        if (isKafkas(failure)) {
            return Response.fail();
        }
        LOG.error(
                "processing failed processor={} topic={} partition={} offset={} cause={}",
                context.processorNodeId(),
                context.topic(),
                context.partition(),
                context.offset(),
                failure.toString(),
                failure);
        return Response.resume(
                record == null || context.topic() == null
                        ? List.of()
                        : List.of(DeadLetter.of(context, Math.max(0, context.timestamp()), failure)));
    }

    private static boolean isKafkas(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof KafkaException || cause instanceof Error);
    }
}
