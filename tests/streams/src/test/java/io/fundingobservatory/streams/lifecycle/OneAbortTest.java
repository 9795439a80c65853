package io.fundingobservatory.streams.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a thread sent for other tasks is gone with an aborted transaction: none may follow it. */
@ExtendWith(SharedBroker.class)
class OneAbortTest {
    private static KafkaFixture kafka;

    @BeforeAll
    static void broker(KafkaFixture shared) {
        kafka = shared;
    }

    @Test
    void noTransactionBeginsAfterAbort() throws Exception {
        try (var producer = producer()) {
            producer.beginTransaction();
            send(producer);
            producer.commitTransaction();
            producer.beginTransaction();
            send(producer);
            producer.abortTransaction();
            assertThrows(ProducerFencedException.class, producer::beginTransaction);
        }
        try (var next = producer()) {
            next.beginTransaction();
            assertEquals(Topics.DEAD_LETTERS.name(), send(next));
            next.commitTransaction();
        }
    }

    /** As after a stall of the process: brokers have aborted the transaction, and its commit is already on the way. */
    @Test
    void commitAfterBrokersAbortIsFence() throws Exception {
        try (var producer = producer()) {
            producer.beginTransaction();
            send(producer);
            awaitAbort();
            assertThrows(ProducerFencedException.class, producer::commitTransaction);
            try (var next = producer()) {
                next.beginTransaction();
                send(next);
                next.commitTransaction();
            }
        }
    }

    /** As when a topic is deleted while records for it are under way: the commit can neither end nor be taken back. */
    @Test
    void sendAfterCommitThatTimedOutIsFence() throws Exception {
        kafka.admin()
                .createTopics(List.of(new NewTopic("gone", 1, (short) 1)))
                .all()
                .get();
        producer().close(); // the coordinator is there: what is short below is the commit's time alone
        try (var producer =
                producer(Map.of("max.block.ms", 5_000, "linger.ms", 60_000, "transactional.id", "never-ended"))) {
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("gone", new byte[1], new byte[1]));
            kafka.admin().deleteTopics(List.of("gone")).all().get();
            assertThrows(TimeoutException.class, producer::commitTransaction);
            var next = new ProducerRecord<>(Topics.QUOTES_RAW.name(), new byte[1], new byte[1]);
            var refused = assertThrows(KafkaException.class, () -> producer.send(next, null));
            // By its cause Kafka Streams tells that the thread has to give back its tasks.
            assertInstanceOf(ProducerFencedException.class, refused.getCause());
            producer.close(Duration.ZERO);
        }
    }

    private static void awaitAbort() throws Exception {
        Await.until(
                "brokers abort an expired transaction",
                () -> kafka.admin()
                                .describeTransactions(List.of("one-abort"))
                                .description("one-abort")
                                .get()
                                .state()
                        == TransactionState.COMPLETE_ABORT);
    }

    private static Producer<byte[], byte[]> producer() {
        return producer(Map.of("transaction.timeout.ms", 1_000));
    }

    private static Producer<byte[], byte[]> producer(Map<String, Object> settings) {
        var config = new HashMap<>(settings);
        config.put("bootstrap.servers", kafka.bootstrapServers());
        config.putIfAbsent("transactional.id", "one-abort");
        Producer<byte[], byte[]> producer = new OneAbortClients().getProducer(config);
        producer.initTransactions();
        return producer;
    }

    private static String send(Producer<byte[], byte[]> producer) throws Exception {
        return producer.send(new ProducerRecord<>(Topics.DEAD_LETTERS.name(), new byte[1], new byte[1]))
                .get()
                .topic();
    }
}
