package io.fundingobservatory.standalone.brokers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.Ran;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.HistoryProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The reset on a broker with the state of both applications. */
@ExtendWith(SharedBroker.class)
class ResetCommandTest {
    private static final String RATES_CHANGELOG = Topics.STREAMS_GROUP + "-contracts-v1-changelog";
    private static final List<String> PAIRS_INTERNAL = List.of(
            Topics.PAIRS_GROUP + "-ledger-v1-changelog",
            Topics.PAIRS_GROUP + "-asset-contracts-v1-changelog",
            Topics.PAIRS_GROUP + "-errors-by-venue-repartition");
    private static final int PARTITIONS = 6;
    private static final long READ = 3;

    private static KafkaFixture kafka;
    private static Admin admin;
    private static KafkaProducer<String, byte[]> producer;

    @BeforeAll
    static void connect(KafkaFixture broker) {
        kafka = broker;
        admin = kafka.admin();
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void disconnect() {
        producer.close();
    }

    /** Both applications have run: internal topics, records, offsets. */
    @BeforeEach
    void fill() throws ExecutionException, InterruptedException {
        Set<String> there = topics();
        var missing = new ArrayList<>(PAIRS_INTERNAL);
        missing.add(RATES_CHANGELOG);
        missing.removeAll(there);
        admin.createTopics(missing.stream()
                        .map(name -> new NewTopic(name, PARTITIONS, (short) 1))
                        .toList())
                .all()
                .get();
        for (String topic :
                List.of(Topics.QUOTES_RAW.name(), Topics.SETTLEMENTS_RAW.name(), Topics.CONTRACT_EVENTS.name())) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                for (int i = 0; i < READ; i++) {
                    send(topic, partition, "binance|BTCUSDT", new byte[] {1});
                }
            }
        }
        producer.flush();
        commit(Topics.STREAMS_GROUP, Topics.QUOTES_RAW.name(), Topics.SETTLEMENTS_RAW.name());
        commit(Topics.PAIRS_GROUP, Topics.CONTRACT_EVENTS.name());
    }

    @Test
    void pairsAreResetAndContractsStay() throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> quotes = offsets(Topics.STREAMS_GROUP, Topics.QUOTES_RAW.name());

        Ran ran = reset("pairs");

        assertEquals(0, ran.exit(), ran.err());
        assertPairsReset();
        assertTrue(topics().contains(RATES_CHANGELOG));
        assertEquals(quotes, offsets(Topics.STREAMS_GROUP, Topics.QUOTES_RAW.name()));
        List<String> lines = ran.out().lines().toList();
        try (var steps = reset(Duration.ZERO)) {
            for (StreamsReset.Step step : steps.stepsOfPairs()) {
                assertTrue(lines.contains(step.done()), ran.out());
            }
        }
        assertEquals(3, lines.stream().filter(line -> line.startsWith("lost: ")).count(), ran.out());
    }

    @Test
    void interruptedResetCanBeRepeated() throws ExecutionException, InterruptedException {
        try (var reset = reset(Duration.ofSeconds(60))) {
            List<StreamsReset.Step> steps = reset.stepsOfPairs();
            for (int taken = 0; taken < steps.size(); taken++) {
                fill();
                reset.run(steps.subList(0, taken));
                // Offsets without changelogs: a start of streams refuses to run pairs.
                assertFalse(
                        offsets(Topics.PAIRS_GROUP, Topics.CONTRACT_EVENTS.name())
                                .isEmpty(),
                        "after " + taken);
                reset.pairs();
                assertPairsReset();
            }
        }
    }

    @Test
    void allDeletesBothGroups() throws ExecutionException, InterruptedException {
        Ran ran = reset("all");

        assertEquals(0, ran.exit(), ran.err());
        assertEquals(Set.of(), internal());
        assertEquals(Map.of(), offsets(Topics.STREAMS_GROUP, Topics.QUOTES_RAW.name()));
        assertEquals(Map.of(), offsets(Topics.STREAMS_GROUP, Topics.SETTLEMENTS_RAW.name()));
        assertEquals(Map.of(), offsets(Topics.PAIRS_GROUP, Topics.CONTRACT_EVENTS.name()));
        assertEquals(ends(Topics.CONTRACT_EVENTS.name()), begins(Topics.CONTRACT_EVENTS.name()));
        assertTrue(ran.out().contains("lost: listing numbers"), ran.out());
    }

    @Test
    void resetOfNothingChangesNothing() throws InterruptedException, ExecutionException {
        assertEquals(0, reset("all").exit());
        Ran again = reset("all");
        assertEquals(0, again.exit(), again.err());
    }

    @Test
    void runningInstanceIsNamedAndKeepsEverything() throws ExecutionException, InterruptedException {
        try (var member = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "group.id",
                        Topics.PAIRS_GROUP,
                        "group.instance.id",
                        "streams-7-1"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            member.subscribe(List.of(Topics.CONTRACT_EVENTS.name()));
            while (member.assignment().isEmpty()) {
                member.poll(Duration.ofMillis(50));
            }
            try (var reset = reset(Duration.ofMillis(100))) {
                String line = assertThrows(Stop.class, reset::pairs).getMessage();
                assertTrue(line.contains("streams-7-1") && line.contains("stop all instances"), line);
                assertTrue(topics().containsAll(PAIRS_INTERNAL));
                reset.removeMembers();
                reset.pairs();
            }
        }
        assertPairsReset();
    }

    @Test
    void historyIsReadAgainOnRequest() throws ExecutionException, InterruptedException {
        var progress = new HistoryProgress("gate", "BTC_USDT", 1_790_000_000_000L, true);
        send(Topics.INGEST_PROGRESS.name(), 0, progress.key().toString(), HistoryProgress.CODEC.encode(progress));
        producer.flush();

        Ran ran = reset("pairs", "--history");

        assertEquals(0, ran.exit(), ran.err());
        assertTrue(ran.out().contains("contracts whose history is read again: 1"), ran.out());
    }

    @Test
    void anotherWordIsWrongUsage() {
        Ran ran = reset("rates");
        assertEquals(2, ran.exit());
        assertTrue(ran.err().contains("reset takes pairs or all, not rates"), ran.err());
    }

    private static void assertPairsReset() throws ExecutionException, InterruptedException {
        assertEquals(Set.of(RATES_CHANGELOG), internal());
        assertEquals(ends(Topics.CONTRACT_EVENTS.name()), begins(Topics.CONTRACT_EVENTS.name()));
        assertEquals(
                begins(Topics.SETTLEMENTS_RAW.name()), offsets(Topics.STREAMS_GROUP, Topics.SETTLEMENTS_RAW.name()));
        assertEquals(Map.of(), offsets(Topics.PAIRS_GROUP, Topics.CONTRACT_EVENTS.name()));
    }

    private static Ran reset(String... words) {
        var all = new ArrayList<>(List.of("reset", "--bootstrap-server", kafka.bootstrapServers()));
        all.addAll(List.of(words));
        return Ran.observatory(all.toArray(String[]::new));
    }

    private static StreamsReset reset(Duration emptyWithin) {
        return new StreamsReset(KafkaAccess.at(kafka.bootstrapServers()), line -> {}, emptyWithin);
    }

    private static void send(String topic, int partition, String key, byte[] value) {
        producer.send(new ProducerRecord<>(topic, partition, key, value));
    }

    private static void commit(String group, String... topics) throws ExecutionException, InterruptedException {
        var committed = new HashMap<TopicPartition, OffsetAndMetadata>();
        for (String topic : topics) {
            ends(topic).forEach((partition, end) -> committed.put(partition, new OffsetAndMetadata(end)));
        }
        admin.alterConsumerGroupOffsets(group, committed).all().get();
    }

    private static Set<String> topics() throws ExecutionException, InterruptedException {
        return admin.listTopics().names().get();
    }

    private static Set<String> internal() throws ExecutionException, InterruptedException {
        return topics().stream()
                .filter(name -> name.startsWith(Topics.STREAMS_GROUP) || name.startsWith(Topics.PAIRS_GROUP))
                .collect(Collectors.toSet());
    }

    private static Map<TopicPartition, Long> offsets(String group, String topic)
            throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().entrySet().stream()
                .filter(offset -> offset.getKey().topic().equals(topic))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, offset -> offset.getValue().offset()));
    }

    private static Map<TopicPartition, Long> ends(String topic) throws ExecutionException, InterruptedException {
        return positions(topic, OffsetSpec.latest());
    }

    private static Map<TopicPartition, Long> begins(String topic) throws ExecutionException, InterruptedException {
        return positions(topic, OffsetSpec.earliest());
    }

    private static Map<TopicPartition, Long> positions(String topic, OffsetSpec which)
            throws ExecutionException, InterruptedException {
        var partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(partition -> partition, partition -> which));
        return admin.listOffsets(partitions).all().get().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, found -> found.getValue().offset()));
    }
}
