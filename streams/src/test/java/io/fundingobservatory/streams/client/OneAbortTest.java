package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;

/** What a thread sent for other tasks is gone with an aborted transaction: none may follow it. */
class OneAbortTest {
    @Test
    void noTransactionBeginsAfterAbort() throws Exception {
        try (var kafka = KafkaFixture.start()) {
            try (var producer = producer(kafka)) {
                producer.beginTransaction();
                send(producer);
                producer.commitTransaction();
                producer.beginTransaction();
                send(producer);
                producer.abortTransaction();
                assertThrows(ProducerFencedException.class, producer::beginTransaction);
            }
            try (var next = producer(kafka)) {
                next.beginTransaction();
                assertEquals(Topics.DEAD_LETTERS.name(), send(next));
                next.commitTransaction();
            }
        }
    }

    /** As after a stall of the process: brokers have aborted the transaction, and its commit is already on the way. */
    @Test
    void commitAfterBrokersAbortIsFence() throws Exception {
        try (var kafka = KafkaFixture.start();
                var producer = producer(kafka)) {
            producer.beginTransaction();
            send(producer);
            awaitAbort(kafka);
            assertThrows(ProducerFencedException.class, producer::commitTransaction);
            try (var next = producer(kafka)) {
                next.beginTransaction();
                send(next);
                next.commitTransaction();
            }
        }
    }

    private static void awaitAbort(KafkaFixture kafka) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (kafka.admin()
                        .describeTransactions(List.of("one-abort"))
                        .description("one-abort")
                        .get()
                        .state()
                != TransactionState.COMPLETE_ABORT) {
            assertTrue(System.nanoTime() < deadline, "brokers abort an expired transaction");
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static Producer<byte[], byte[]> producer(KafkaFixture kafka) {
        Producer<byte[], byte[]> producer = new OneAbort()
                .getProducer(Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "transactional.id",
                        "one-abort",
                        "transaction.timeout.ms",
                        1_000));
        producer.initTransactions();
        return producer;
    }

    private static String send(Producer<byte[], byte[]> producer) throws Exception {
        return producer.send(new ProducerRecord<>(Topics.DEAD_LETTERS.name(), new byte[1], new byte[1]))
                .get()
                .topic();
    }
}
