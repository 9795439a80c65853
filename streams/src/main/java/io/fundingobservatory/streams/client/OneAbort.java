package io.fundingobservatory.streams.client;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients for Kafka Streams of which a producer takes one abort.
 *
 * <p>The tasks of a thread share a producer and a transaction. Where one of them is found corrupted, Kafka Streams commits the others
 * before it aborts what is left; while a rebalance is under way it leaves that commit out ({@code TaskManager.handleCorruption}, 4.3.1),
 * aborts their rows with the transaction and goes on behind them: they are lost. Here the next transaction is refused as that of a
 * producer that was fenced, and Kafka Streams does what follows then: all tasks of the thread are given back without a commit, and begin
 * again, with a new producer, where the last commit is.
 *
 * <p>A commit that comes after brokers have aborted its transaction ({@code transaction.timeout.ms}) fails with
 * {@link InvalidTxnStateException}, of which a stream thread dies. It is reported as the same fence, which costs seconds.
 */
public final class OneAbort implements KafkaClientSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(OneAbort.class);

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new OneAbortProducer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return getConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return getConsumer(config);
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
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
        public void beginTransaction() {
            if (aborted) {
                LOG.info("a transaction was aborted; its thread begins again at the last commit");
                throw new ProducerFencedException("a transaction of this producer was aborted");
            }
            super.beginTransaction();
        }
    }
}
