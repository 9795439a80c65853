package io.fundingobservatory.streams.client;

import io.fundingobservatory.streams.ledger.Stores;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the stores from scratch where a changelog is missing or truncated. Either it was lost, or this
 * release has another format and so another store.
 *
 * <p>With committed offsets alone Kafka Streams would continue from them, with an empty store and 30 days
 * missing. So the application's own topics are deleted, and the ledger's two topics are read from their
 * beginning: {@code settlements.raw} and {@code settlements}, both kept for 35 days. {@code quotes.raw}
 * continues from its committed offset, so that no event is published again.
 */
final class LedgerRebuild {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerRebuild.class);

    /** A static member that was killed counts as a member until its session ends. */
    private static final Duration MEMBERS_LEAVE_WITHIN = Duration.ofSeconds(60);

    /** What they hold comes back from the ledger's topics; a contract's newest quote comes with the next poll. */
    private static final List<String> LEDGER_STORES =
            List.of(Stores.PAYMENTS, Stores.ASSET_CONTRACTS, Stores.ASSET_PAYMENTS);

    private static final List<Topic<?>> LEDGER = List.of(Topics.SETTLEMENTS_RAW, Topics.SETTLEMENTS);

    private final Admin admin;
    private final String applicationId;

    LedgerRebuild(Admin admin, String applicationId) {
        this.admin = admin;
        this.applicationId = applicationId;
    }

    /** Whether stores begin from scratch; the contents of the local directory are then of no use either. */
    boolean prepare(BooleanSupplier givenUp) throws InterruptedException, ExecutionException {
        Set<String> topics = admin.listTopics().names().get();
        List<String> lost = Stores.ALL.stream()
                .map(store -> applicationId + '-' + store + "-changelog")
                .filter(changelog -> !topics.contains(changelog))
                .collect(Collectors.toCollection(ArrayList::new));
        lost.addAll(truncated(topics));
        Map<TopicPartition, OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets(applicationId)
                .partitionsToOffsetAndMetadata()
                .get();
        if (lost.isEmpty() || offsets.isEmpty()) {
            return false;
        }
        if (!awaitEmptyGroup(givenUp)) {
            LOG.warn("other instances are running; lost changelogs={} are left to them", lost);
            return false;
        }
        List<String> own = topics.stream()
                .filter(topic -> topic.startsWith(applicationId + '-'))
                .toList();
        LOG.warn("the ledger is read again from its topics; lost changelogs={}, removed={}", lost, own);
        admin.deleteTopics(own).all().get();
        var begin = new HashMap<TopicPartition, OffsetAndMetadata>();
        for (Topic<?> topic : LEDGER) {
            for (int partition = 0; partition < topic.partitions(); partition++) {
                begin.put(new TopicPartition(topic.name(), partition), new OffsetAndMetadata(0));
            }
        }
        admin.alterConsumerGroupOffsets(applicationId, begin).all().get();
        var ownOffsets = new HashSet<>(offsets.keySet());
        // By name: when brokers went away after the topics had been deleted, this is done again without them.
        ownOffsets.removeIf(partition -> !partition.topic().startsWith(applicationId + '-'));
        if (!ownOffsets.isEmpty()) {
            admin.deleteConsumerGroupOffsets(applicationId, ownOffsets).all().get();
        }
        return true;
    }

    /** Compaction never moves the start of a changelog: where it is not 0, somebody has deleted records. */
    private Set<String> truncated(Set<String> topics) throws InterruptedException, ExecutionException {
        List<String> changelogs = LEDGER_STORES.stream()
                .map(store -> applicationId + '-' + store + "-changelog")
                .filter(topics::contains)
                .toList();
        var starts = new HashMap<TopicPartition, OffsetSpec>();
        admin.describeTopics(changelogs)
                .allTopicNames()
                .get()
                .forEach((topic, description) -> description
                        .partitions()
                        .forEach(partition ->
                                starts.put(new TopicPartition(topic, partition.partition()), OffsetSpec.earliest())));
        var truncated = new TreeSet<String>();
        admin.listOffsets(starts).all().get().forEach((partition, start) -> {
            if (start.offset() > 0) {
                truncated.add(partition.topic());
            }
        });
        return truncated;
    }

    private boolean awaitEmptyGroup(BooleanSupplier givenUp) throws InterruptedException, ExecutionException {
        long deadline = System.nanoTime() + MEMBERS_LEAVE_WITHIN.toNanos();
        while (!givenUp.getAsBoolean()) {
            var group = admin.describeConsumerGroups(List.of(applicationId))
                    .describedGroups()
                    .get(applicationId);
            if (group == null || group.get().members().isEmpty()) {
                return true;
            }
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        return false;
    }
}
