package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.KafkaFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transactions that no coordinator will end, on a real broker; and those that it will. */
class HangingTransactionsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    private static final Duration PATIENCE = Duration.ofSeconds(7);

    /** And brokers abort it within 10 s more. */
    private static final Duration OVERDUE = Duration.ofSeconds(17);

    private static KafkaFixture kafka;
    private final AtomicLong now = new AtomicLong();

    @BeforeAll
    static void start() throws Exception {
        kafka = KafkaFixture.start();
        // As before Kafka 3.6: a batch is taken though its coordinator knows nothing of the partition.
        kafka.admin()
                .incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, ""),
                        List.of(new AlterConfigOp(
                                new ConfigEntry("transaction.partition.verification.enable", "false"),
                                AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    private HangingTransactions watch(String topic) {
        return new HangingTransactions(kafka.admin(), List.of(topic), "group-of-" + topic, TIMEOUT, now::get);
    }

    private static void topic(String name) throws Exception {
        kafka.admin()
                .createTopics(List.of(new NewTopic(name, 2, (short) 1)))
                .all()
                .get();
    }

    private static KafkaProducer<String, String> producer(String transactionalId) {
        var producer = new KafkaProducer<>(
                Map.<String, Object>of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "transactional.id",
                        transactionalId,
                        "transaction.timeout.ms",
                        600_000),
                new StringSerializer(),
                new StringSerializer());
        producer.initTransactions();
        return producer;
    }

    /** The producer's id; after the commit its coordinator is past epoch 0. */
    private static long idAfterACommit(KafkaProducer<String, String> producer, TopicPartition partition)
            throws Exception {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), "k", "v"));
        producer.commitTransaction();
        return kafka.admin()
                .describeProducers(List.of(partition))
                .partitionResult(partition)
                .get()
                .activeProducers()
                .getFirst()
                .producerId();
    }

    private static long end(TopicPartition partition, IsolationLevel isolation) throws Exception {
        return kafka.admin()
                .listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private static boolean isWhole(TopicPartition partition) throws Exception {
        return end(partition, IsolationLevel.READ_COMMITTED) == end(partition, IsolationLevel.READ_UNCOMMITTED);
    }

    private static LateProducer late(String transactionalId, long id) throws IOException {
        return new LateProducer(Map.of("bootstrap.servers", kafka.bootstrapServers()), transactionalId, id);
    }

    @Test
    void whatNoCoordinatorWillEndIsAbortedAndReadersGoOn() throws Exception {
        topic("forgotten");
        var known = new TopicPartition("forgotten", 0);
        var held = new TopicPartition("forgotten", 1);
        try (var producer = producer("forgetful")) {
            long id = idAfterACommit(producer, known);
            try (LateProducer late = late("forgetful", id)) {
                late.write(held);
            }
            assertFalse(isWhole(held), "nothing behind the open transaction is committed");
            var watch = watch("forgotten");
            watch.look();
            now.addAndGet(PATIENCE.toNanos() - 1);
            watch.look();
            assertFalse(isWhole(held), "not before its time");
            now.addAndGet(1);
            watch.look();
            awaitWhole(held);
            assertEquals(List.of(), watch.heldUp());
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("forgotten", 1, "k", "after"));
            producer.commitTransaction();
            awaitWhole(held);
        }
    }

    /** Consumers of the group wait for the end of a transaction that commits offsets, and so would its threads. */
    @Test
    void offsetsOfTheGroupAreFreedAndThoseOfOthersLeftAlone() throws Exception {
        topic("offsets");
        var read = new TopicPartition("offsets", 0);
        try (var producer = producer("committing")) {
            for (String group : List.of("group-of-offsets", "group-of-nobody")) {
                kafka.admin()
                        .alterConsumerGroupOffsets(group, Map.of(read, new OffsetAndMetadata(7)))
                        .all()
                        .get();
            }
            long id = idAfterACommit(producer, read);
            try (LateProducer late = late("committing", id)) {
                late.commit("group-of-offsets", read);
                late.commit("group-of-nobody", read);
            }
            assertFalse(isStable("group-of-offsets", read));
            var watch = watch("offsets");
            watch.look();
            now.addAndGet(PATIENCE.toNanos());
            watch.look();
            long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
            while (!isStable("group-of-offsets", read)) {
                assertTrue(System.nanoTime() < deadline, "consumers still wait");
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            assertFalse(isStable("group-of-nobody", read), "of another partition: no business of ours");
        }
    }

    private static boolean isStable(String group, TopicPartition read) throws Exception {
        try {
            OffsetAndMetadata offset = kafka.admin()
                    .listConsumerGroupOffsets(
                            group,
                            new ListConsumerGroupOffsetsOptions()
                                    .requireStable(true)
                                    .timeoutMs(1_000))
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(read);
            return offset != null && offset.offset() == 7;
        } catch (ExecutionException e) {
            return false;
        }
    }

    @Test
    void whatItsCoordinatorStillHasOpenIsSaidAndLeftAlone() throws Exception {
        topic("ongoing");
        var held = new TopicPartition("ongoing", 1);
        try (var producer = producer("slow")) {
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("ongoing", 1, "k", "v")).get();
            var watch = watch("ongoing");
            watch.look();
            now.addAndGet(PATIENCE.toNanos());
            watch.look();
            assertEquals(List.of(), watch.heldUp(), "its broker may still abort it");
            now.addAndGet(OVERDUE.minus(PATIENCE).toNanos());
            watch.look();
            assertEquals(List.of("ongoing-1"), watch.heldUp());
            producer.commitTransaction();
            awaitWhole(held);
            watch.look();
            assertEquals(List.of(), watch.heldUp());
        }
    }

    @Test
    void whereCommittedRecordsComeOnNothingStandsStill() throws Exception {
        topic("busy");
        try (var producer = producer("busy")) {
            var watch = watch("busy");
            for (int i = 0; i < 3; i++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("busy", 0, "k", "v")).get();
                watch.look();
                now.addAndGet(PATIENCE.toNanos());
                assertEquals(List.of(), watch.heldUp());
                producer.commitTransaction();
                awaitWhole(new TopicPartition("busy", 0));
            }
        }
    }

    private static void awaitWhole(TopicPartition partition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        while (!isWhole(partition)) {
            assertTrue(System.nanoTime() < deadline, "still held up: " + partition);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** The open transaction is of epoch 42; what a coordinator says of the producer, and whether it has the partition in a transaction. */
    @ParameterizedTest
    @CsvSource({
        "EMPTY, 44, false, true",
        "ONGOING, 44, false, true",
        "COMPLETE_ABORT, 43, false, true",
        "COMPLETE_COMMIT, 43, false, true",
        "ONGOING, 44, true, false",
        "ONGOING, 42, true, false",
        "ONGOING, 42, false, false",
        "PREPARE_ABORT, 43, true, false",
        "PREPARE_ABORT, 43, false, false",
        "PREPARE_COMMIT, 43, false, false",
        "PREPARE_EPOCH_FENCE, 43, false, false",
        "UNKNOWN, 44, false, false",
        "EMPTY, 42, false, false"
    })
    void onlyWhatACoordinatorHasDoneWithIsForgotten(
            TransactionState state, int epoch, boolean hasPartition, boolean forgotten) {
        var partition = new TopicPartition("t", 1);
        var open = new HangingTransactions.Open(
                partition, new ProducerState(7, 42, 16, 0, OptionalInt.of(0), OptionalLong.of(2_715)));
        Set<TopicPartition> partitions = new HashSet<>(Set.of(new TopicPartition("t", 0)));
        Optional.of(partition).filter(one -> hasPartition).ifPresent(partitions::add);
        var coordinator = new TransactionDescription(1, state, 7, epoch, 6_000, OptionalLong.empty(), partitions);
        assertEquals(forgotten, HangingTransactions.isForgotten(open, coordinator));
        var another = new TransactionDescription(1, state, 8, epoch, 6_000, OptionalLong.empty(), partitions);
        assertFalse(HangingTransactions.isForgotten(open, another));
    }
}
