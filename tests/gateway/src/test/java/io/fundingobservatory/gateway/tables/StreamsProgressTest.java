package io.fundingobservatory.gateway.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StreamsProgressTest {
    @RegisterExtension
    private final LoggedLines lines = LoggedLines.of(StreamsProgress.class);

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
            try (var progress = new StreamsProgress(
                    KafkaAccess.at(kafka.bootstrapServers()),
                    Map::of,
                    InstantSource.system(),
                    Duration.ofMillis(200))) {
                Await.until("the transaction is found to hang", () -> {
                    assertEquals(new StreamsProgress.Known(Long.MIN_VALUE, -1, true), progress.get());
                    return lines.all()
                            .getLast()
                            .contains("rates.latest cannot be read to its end, as where a transaction hangs");
                });
            }
            producer.abortTransaction();
        }
    }
}
