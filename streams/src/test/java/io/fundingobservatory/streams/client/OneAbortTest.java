package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;

/** What a thread sent for other tasks is gone with an aborted transaction: none may follow it. */
class OneAbortTest {
    @Test
    void afterAnAbortNoTransactionOfThatProducerBegins() throws Exception {
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

    private static Producer<byte[], byte[]> producer(KafkaFixture kafka) {
        Producer<byte[], byte[]> producer = new OneAbort()
                .getProducer(Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "one-abort"));
        producer.initTransactions();
        return producer;
    }

    private static String send(Producer<byte[], byte[]> producer) throws Exception {
        return producer.send(new ProducerRecord<>(Topics.DEAD_LETTERS.name(), new byte[1], new byte[1]))
                .get()
                .topic();
    }
}
