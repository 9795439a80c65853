package io.fundingobservatory.streams.lifecycle;

import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients for Kafka Streams whose producer accepts only one abort.
 *
 * <p>The tasks of a thread share a producer and a transaction. Where one task is found corrupted, Kafka
 * Streams commits the others before it aborts the rest. During a rebalance it omits that commit
 * ({@code TaskManager.handleCorruption}, 4.3.1 and 4.4.0). It aborts the rows of the other tasks with the transaction
 * and continues after them, so they are lost.
 *
 * <p>Here the next transaction fails as that of a fenced producer. Kafka Streams then gives back all tasks of
 * the thread without a commit. They begin again at the last commit, with a new producer.
 *
 * <p>A commit fails with {@link InvalidTxnStateException} after brokers have aborted its transaction
 * ({@code transaction.timeout.ms}). A stream thread would die of it. It is reported as the same fence, which
 * costs seconds.
 *
 * <p>A send fails with {@link IllegalStateException} after a commit has timed out, as when a topic of its transaction was
 * deleted. Kafka Streams would take that for a fault of each record that follows. It is reported as the same fence.
 */
public final class OneAbortClients extends DefaultKafkaClientSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(OneAbortClients.class);

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new OneAbortProducer(config);
    }

    private static final class OneAbortProducer extends KafkaProducer<byte[], byte[]> {
        private volatile boolean aborted;

        OneAbortProducer(Map<String, Object> config) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
        }

        /** Only called for a transaction in which something was sent. */
        @Override
        public void abortTransaction() {
            aborted = true;
            super.abortTransaction();
        }

        @Override
        public void commitTransaction() {
            try {
                super.commitTransaction();
            } catch (InvalidTxnStateException e) {
                LOG.info("a transaction was aborted before its commit; its thread begins again at the last commit");
                throw new ProducerFencedException("the commit came after the abort: " + e.getMessage());
            }
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            try {
                return super.send(record, callback);
            } catch (IllegalStateException e) {
                LOG.info(
                        "a transaction did not end; its thread begins again at the last commit reason={}",
                        e.getMessage());
                throw new KafkaException(new ProducerFencedException(e.getMessage()));
            }
        }

        @Override
        public void beginTransaction() {
            if (aborted) {
                LOG.info("a transaction was aborted; its thread begins again at the last commit");
                throw new ProducerFencedException("a transaction of this producer was aborted");
            }
            super.beginTransaction();
        }
    }
}
