package io.fundingobservatory.streams.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.streams.CommittedRecords;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** The ledger of lost stores, on a real broker: published settlements come first, and what was not processed yet after them. */
class LedgerLoadOnABrokerTest {
    private static final ContractKey CONTRACT = new ContractKey("okx", "X");
    private static final long HOUR = 3_600_000;
    private static final long AT = 1_790_000_000_000L / HOUR * HOUR;

    @Test
    void sendsPublishedSettlementsBeforeWaitingEvents() throws Exception {
        try (var kafka = KafkaFixture.start();
                var producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            TopicCreation.ensure(kafka.admin(), (short) 1);
            send(producer, Topics.SETTLEMENTS, "okx|X", Settlement.CODEC.encode(settlement(AT - HOUR, Basis.ESTIMATE)));
            send(producer, Topics.SETTLEMENTS, "okx|X", Settlement.CODEC.encode(settlement(AT - HOUR, Basis.SETTLED)));
            // Processed already, waiting, and one that rates reports again at its start.
            int partition = send(producer, Topics.CONTRACT_EVENTS, "BTC", settlement(AT - 2 * HOUR));
            send(producer, Topics.CONTRACT_EVENTS, "BTC", listed());
            send(producer, Topics.CONTRACT_EVENTS, "BTC", settlement(AT));
            var ofBtc = new TopicPartition(Topics.CONTRACT_EVENTS.name(), partition);
            kafka.admin()
                    .alterConsumerGroupOffsets(Topics.PAIRS_GROUP, Map.of(ofBtc, new OffsetAndMetadata(1)))
                    .all()
                    .get();

            var access = KafkaAccess.at(kafka.bootstrapServers());
            var loader = new LedgerLoader(access, new CountedMetrics(), () -> false);
            assertEquals(2, loader.load(loader.listings()));

            // The marker of the transaction may still be on its way.
            long from;
            try (var reading = new TopicReading(access, Topics.CONTRACT_EVENTS, () -> false)) {
                from = reading.processed().get(ofBtc);
            }
            var read = new ArrayList<String>();
            try (var events = new CommittedRecords(kafka.bootstrapServers(), Topics.CONTRACT_EVENTS.name())) {
                for (var record : events.toTheEnd()) {
                    if (record.partition() == partition && record.offset() >= from) {
                        ContractEvent event = ContractEvent.CODEC.decode(record.value());
                        read.add(event.settledMs() + " " + event.basis() + " " + event.published());
                    }
                }
            }
            assertEquals(
                    List.of(AT - HOUR + " ESTIMATE true", AT - HOUR + " SETTLED true", AT + " SETTLED false"), read);
        }
    }

    /** The former process was killed amid a commit: until its transaction ends, nobody knows what was processed. */
    @Test
    void waitsForOpenTransactionOfTheGroup() throws Exception {
        try (var kafka = KafkaFixture.start();
                var producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                var killed = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "killed"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            TopicCreation.ensure(kafka.admin(), (short) 1);
            int partition = send(producer, Topics.CONTRACT_EVENTS, "BTC", settlement(AT - HOUR));
            send(producer, Topics.CONTRACT_EVENTS, "BTC", settlement(AT));
            var ofBtc = new TopicPartition(Topics.CONTRACT_EVENTS.name(), partition);
            var access = KafkaAccess.at(kafka.bootstrapServers());
            killed.initTransactions();
            killed.beginTransaction();
            try (var waiting = new TopicReading(access, Topics.CONTRACT_EVENTS, () -> false)) {
                killed.sendOffsetsToTransaction(Map.of(ofBtc, new OffsetAndMetadata(2)), waiting.group());
                var processed = CompletableFuture.supplyAsync(waiting::processed);
                assertThrows(TimeoutException.class, () -> processed.get(500, TimeUnit.MILLISECONDS));
                killed.commitTransaction();
                assertEquals(Map.of(ofBtc, 2L), processed.get(5, TimeUnit.MINUTES));
            }
        }
    }

    private static int send(KafkaProducer<byte[], byte[]> producer, Topic<?> topic, String key, byte[] value)
            throws Exception {
        return producer.send(new ProducerRecord<>(topic.name(), key.getBytes(UTF_8), value))
                .get()
                .partition();
    }

    private static Settlement settlement(long settledMs, Basis basis) {
        return new Settlement(
                "okx",
                "X",
                0,
                "BTC",
                settledMs,
                settledMs,
                new BigDecimal("0.0001"),
                basis,
                BigDecimal.valueOf(8),
                settledMs + 1);
    }

    private static byte[] settlement(long settledMs) {
        return ContractEvent.CODEC.encode(ContractEvent.settlement(
                CONTRACT,
                "BTC",
                0,
                settledMs,
                settledMs,
                new BigDecimal("0.0001"),
                Basis.SETTLED,
                BigDecimal.valueOf(8),
                false,
                AT));
    }

    private static byte[] listed() {
        return ContractEvent.CODEC.encode(ContractEvent.listed(
                CONTRACT, "BTC", 0, null, "USDT", ContractType.LINEAR, BigDecimal.valueOf(8), BigDecimal.TEN, AT));
    }
}
