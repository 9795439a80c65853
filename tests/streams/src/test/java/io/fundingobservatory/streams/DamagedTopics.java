package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.oracle.RatesReader;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.lifecycle.Application;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Settlement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.Utils;

/**
 * Streams over a broker whose topics and group the test reads and deletes. Time comes from the stamps of the
 * test.
 */
final class DamagedTopics {
    private static final List<Application> APPLICATIONS = List.of(Application.RATES, Application.PAIRS);

    /** Changelogs of all stores, and a repartition topic of {@code pairs}. */
    static final int INTERNAL =
            APPLICATIONS.stream().mapToInt(one -> one.stores().size()).sum() + 1;

    private final KafkaFixture kafka;
    private final Path state;

    DamagedTopics(KafkaFixture kafka, Path state) {
        this.kafka = kafka;
        this.state = state;
    }

    /** Started, and running. */
    StreamsService start() {
        return start(new CountedMetrics());
    }

    StreamsService start(StreamsMetrics metrics) {
        StreamsService service = service(metrics);
        BrokerStamps.byTheBroker(kafka);
        service.start();
        await(service::isRunning, "running, but it is: " + service.state());
        // The broker's own stamp would move the window; here the test tells the time.
        BrokerStamps.byTheTest(kafka);
        return service;
    }

    /** Not started. */
    StreamsService service() {
        return service(new CountedMetrics());
    }

    private StreamsService service(StreamsMetrics metrics) {
        return new StreamsService(
                new StreamsSettings("test-1", state.toString(), 2, 1, 0, Duration.ofSeconds(2)),
                KafkaAccess.at(kafka.bootstrapServers()),
                metrics,
                new SimpleMeterRegistry());
    }

    /** What a reader of the compacted topic has. */
    Map<String, byte[]> tables() {
        var tables = new TreeMap<String, byte[]>();
        committed(Topics.CARRY_PAIRS.name())
                .forEach(record -> tables.put(new String(record.key(), UTF_8), record.value()));
        return tables;
    }

    /** How many records a topic holds. */
    int count(String topic) {
        return committed(topic).size();
    }

    private List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
        return RatesReader.committed(kafka.bootstrapServers(), topic);
    }

    /** Settlements that were published more than once, and not with the same value where the basis is the same. */
    Set<String> differingSettlements() throws MalformedRecord {
        var newest = new HashMap<String, Settlement>();
        var differing = new TreeSet<String>();
        for (var record : committed(Topics.SETTLEMENTS.name())) {
            Settlement now = Settlement.CODEC.decode(record.value());
            Settlement before = newest.put(now.key() + " " + now.listingEpoch() + " " + now.settledMs(), now);
            boolean same = before == null
                    || before.basis() != now.basis()
                    || before.observedAtMs() != now.observedAtMs()
                    || before.equals(now);
            if (!same) {
                differing.add(before + " " + now);
            }
        }
        return differing;
    }

    /** Whether both applications have read their input topics to the end. */
    boolean caughtUp() {
        return caughtUp(Topics.STREAMS_GROUP, List.of(Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW))
                && caughtUp(Topics.PAIRS_GROUP, List.of(Topics.CONTRACT_EVENTS));
    }

    private boolean caughtUp(String group, List<Topic<?>> topics) {
        try {
            var committed = kafka.admin()
                    .listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
            var ends = new HashMap<TopicPartition, OffsetSpec>();
            var begins = new HashMap<TopicPartition, OffsetSpec>();
            for (Topic<?> topic : topics) {
                for (int partition = 0; partition < topic.partitions(); partition++) {
                    ends.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
                    begins.put(new TopicPartition(topic.name(), partition), OffsetSpec.earliest());
                }
            }
            // An empty partition has no committed offset.
            var from = kafka.admin().listOffsets(begins).all().get();
            return kafka.admin().listOffsets(ends).all().get().entrySet().stream()
                    .allMatch(last -> {
                        var read = committed.get(last.getKey());
                        long position = read == null ? from.get(last.getKey()).offset() : read.offset();
                        return position >= last.getValue().offset();
                    });
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Both applications begin at the beginning again. */
    void loseOffsets() throws Exception {
        kafka.admin()
                .deleteConsumerGroups(List.of(Topics.STREAMS_GROUP, Topics.PAIRS_GROUP))
                .all()
                .get();
    }

    /** Changelogs and repartition topics are gone. */
    void loseInternalTopics() throws Exception {
        kafka.admin().deleteTopics(internal()).all().get();
    }

    /** The internal topics of {@code pairs} are gone. */
    void loseTopicsOfPairs() throws Exception {
        kafka.admin()
                .deleteTopics(internal().stream()
                        .filter(name -> name.startsWith(Topics.PAIRS_GROUP))
                        .toList())
                .all()
                .get();
    }

    /** The settings that each changelog was created with. */
    Map<String, Map<String, String>> changelogSettings() throws Exception {
        List<ConfigResource> changelogs = internal().stream()
                .filter(name -> name.endsWith("-changelog"))
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        var settings = new TreeMap<String, Map<String, String>>();
        kafka.admin()
                .describeConfigs(changelogs)
                .all()
                .get()
                .forEach((topic, config) -> settings.put(
                        topic.name(),
                        config.entries().stream()
                                .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value))));
        return settings;
    }

    /** All records of a topic are deleted, and returned with their stamps. */
    List<ProducerRecord<byte[], byte[]>> takeAway(Topic<?> topic) throws Exception {
        var records = new ArrayList<ProducerRecord<byte[], byte[]>>();
        var before = new HashMap<TopicPartition, RecordsToDelete>();
        committed(topic.name()).forEach(record -> {
            records.add(new ProducerRecord<>(
                    record.topic(),
                    record.partition(),
                    record.timestamp(),
                    record.key(),
                    record.value(),
                    record.headers()));
            before.put(new TopicPartition(record.topic(), record.partition()), RecordsToDelete.beforeOffset(-1));
        });
        kafka.admin().deleteRecords(before).all().get();
        return records;
    }

    /** The local stores are gone. */
    void loseStores() throws IOException {
        Utils.delete(state.toFile());
    }

    /**
     * Removes the members of the groups: a static member that has left still counts as one until it is
     * removed.
     */
    void removeMembers() throws Exception {
        for (Application application : APPLICATIONS) {
            kafka.admin()
                    .removeMembersFromConsumerGroup(application.id(), new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get();
        }
    }

    private List<String> internal() throws Exception {
        var internal = kafka.admin().listTopics().names().get().stream()
                .filter(name -> APPLICATIONS.stream().anyMatch(one -> name.startsWith(one.id() + "-")))
                .toList();
        assertEquals(INTERNAL, internal.size(), internal::toString);
        return internal;
    }

    static void await(BooleanSupplier condition, String what) {
        Await.until(what, condition::getAsBoolean);
    }
}
