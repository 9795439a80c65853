package io.fundingobservatory.gateway.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class StreamsProgressTest {
    /** Streams has processed every quote, but one of its transactions has no end: nobody can read past it. */
    @Test
    void hangingTransactionIsNotWaitedFor() throws Exception {
        try (var kafka = KafkaFixture.start();
                var producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "hangs"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(Topics.RATES_LATEST.name(), 3, new byte[1], new byte[1]))
                    .get();
            var progress =
                    new StreamsProgress(KafkaAccess.at(kafka.bootstrapServers()), Map::of, Duration.ofMillis(200));
            ExecutionException failure = assertThrows(ExecutionException.class, progress::awaitRowsOfAllQuotes);
            assertEquals(
                    "cannot be read to its end, as where a transaction hangs: [rates.latest-3]",
                    failure.getCause().getMessage());
            assertEquals(0, progress.behind());
            producer.abortTransaction();
        }
    }
}
