package io.fundingobservatory.streams.client;

import io.fundingobservatory.streams.core.Application;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions on which a transaction stays open for longer than brokers let one last. Read-committed
 * consumers, the topology among them, read nothing behind it, without an error.
 *
 * <p>A coordinator that ends a transaction while a partition has no leader does not write its marker there.
 * It was seen with Kafka 4.3.1, on a broker that came back from a full disk. {@code kafka-transactions.sh}
 * finds and aborts the transaction.
 */
final class BlockedPartitions {
    private static final Logger LOG = LoggerFactory.getLogger(BlockedPartitions.class);

    /** Brokers look for expired transactions every 10 s by default (transaction.abort.timed.out.transaction.cleanup.interval.ms). */
    private static final Duration BROKERS_ABORT_WITHIN = Duration.ofSeconds(11);

    /** An open transaction in the group's partition keeps its consumers from learning where to read on. */
    private static final String OFFSETS = Topics.CONSUMER_OFFSETS;

    private final Admin admin;
    private final Set<String> topics;
    private final List<Application> applications;
    private final Duration blockedAfter;
    private final LongSupplier nanoTime;
    private Map<TopicPartition, Stall> stalled = Map.of();
    private volatile List<String> blocked = List.of();

    /** A last stable offset with records behind it, and since when it has not moved, by {@link System#nanoTime}. */
    private record Stall(long lastStableOffset, long sinceNs) {}

    /** Brokers abort a transaction of the topics, the applications' internal ones and their offsets after {@code timeout}. */
    BlockedPartitions(
            Admin admin,
            Collection<String> topics,
            List<Application> applications,
            Duration timeout,
            LongSupplier nanoTime) {
        this.admin = admin;
        this.topics = Set.copyOf(topics);
        this.applications = List.copyOf(applications);
        this.blockedAfter = timeout.plus(BROKERS_ABORT_WITHIN);
        this.nanoTime = nanoTime;
    }

    /** Partitions whose last stable offset had stood still for longer than any transaction lasts when it was last compared. */
    List<String> blocked() {
        return blocked;
    }

    /** Compares once. An error of the brokers says nothing of any partition, and the waiting starts from scratch. */
    void compare() throws InterruptedException {
        try {
            compareOffsets();
            long now = nanoTime.getAsLong();
            List<String> held = stalled.entrySet().stream()
                    .filter(stall -> now - stall.getValue().sinceNs() >= blockedAfter.toNanos())
                    .map(stall -> stall.getKey().toString())
                    .sorted()
                    .toList();
            if (!held.isEmpty() && !held.equals(blocked)) {
                LOG.warn("a transaction stays open partitions={}", held);
            }
            blocked = held;
        } catch (ExecutionException e) {
            stalled = Map.of();
        }
    }

    private void compareOffsets() throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> latest = partitions();
        Map<TopicPartition, Long> ends = ends(latest, IsolationLevel.READ_UNCOMMITTED);
        // Read last: between the two a partition may only come nearer to its end.
        Map<TopicPartition, Long> stable = ends(latest, IsolationLevel.READ_COMMITTED);
        long now = nanoTime.getAsLong();
        Map<TopicPartition, Stall> before = stalled;
        stalled = new HashMap<>();
        stable.forEach((partition, offset) -> {
            if (offset < ends.getOrDefault(partition, offset)) {
                Stall known = before.get(partition);
                stalled.put(
                        partition, known != null && known.lastStableOffset == offset ? known : new Stall(offset, now));
            }
        });
    }

    private Map<TopicPartition, Long> ends(Map<TopicPartition, OffsetSpec> latest, IsolationLevel isolation)
            throws InterruptedException, ExecutionException {
        var ends = new HashMap<TopicPartition, Long>();
        admin.listOffsets(latest, new ListOffsetsOptions(isolation))
                .all()
                .get()
                .forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    private Map<TopicPartition, OffsetSpec> partitions() throws InterruptedException, ExecutionException {
        Set<String> names = new HashSet<>(admin.listTopics(new ListTopicsOptions().listInternal(true))
                .names()
                .get());
        names.removeIf(name -> !topics.contains(name)
                && !name.equals(OFFSETS)
                && applications.stream().noneMatch(application -> name.startsWith(application.id() + '-')));
        var latest = new HashMap<TopicPartition, OffsetSpec>();
        admin.describeTopics(names).allTopicNames().get().forEach((name, topic) -> {
            int count = topic.partitions().size();
            for (int partition = 0; partition < count; partition++) {
                if (!name.equals(OFFSETS) || holdsOffsets(partition, count)) {
                    latest.put(new TopicPartition(name, partition), OffsetSpec.latest());
                }
            }
        });
        return latest;
    }

    private boolean holdsOffsets(int partition, int count) {
        return applications.stream()
                .anyMatch(application -> partition == Utils.abs(application.id().hashCode()) % count);
    }
}
