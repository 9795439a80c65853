package io.fundingobservatory.ingest;

import static java.util.Map.entry;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's share of the venues: the partitions of {@code venues.assignment} that the consumer group of its
 * region gives it, one for each listed venue. A process that dies is missed after 10 s, and the others take its venues over within 15 s.
 * One that does not reach the group polls on until it does. Another one may poll the same venues meanwhile; together they take
 * two fifths of a published limit at most.
 */
public final class VenueAssignment implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VenueAssignment.class);
    private static final int SESSION_MS = 10_000;

    /** With three seconds, a survivor may notice a death only after 14 s; two leave time for the takeover itself. */
    private static final int HEARTBEAT_MS = 2_000;

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final Consumer<List<ListedVenue>> given;
    private final Consumer<List<ListedVenue>> taken;
    private final Consumer<String> lost;
    private final Thread thread;
    // Used by the thread that polls the group alone, like the next field.
    private final Set<TopicPartition> assigned = new HashSet<>();
    private long topicSeenNs;
    private volatile boolean closing;

    /**
     * Creates an assignment; {@link #start} joins the group. One thread makes all calls, and they must not block it.
     *
     * @param consumer a member of the group, which the assignment closes
     * @param given receives venues that this process polls from now on
     * @param taken when it returns, these venues are not polled here any more
     * @param lost receives, once, why this process gets no venues until it is restarted
     */
    public VenueAssignment(
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            Consumer<List<ListedVenue>> given,
            Consumer<List<ListedVenue>> taken,
            Consumer<String> lost) {
        this.consumer = consumer;
        this.given = given;
        this.taken = taken;
        this.lost = lost;
        this.thread = Thread.ofPlatform().name("venue-share").unstarted(this::run);
    }

    /** A member of the group whose processes share the venues: those of one region, empty where there is only one. */
    public static org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> member(KafkaAccess kafka, String region) {
        return new KafkaConsumer<>(config(kafka, region), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static Map<String, Object> config(KafkaAccess kafka, String region) {
        String group = region.isEmpty() ? Topics.INGEST_GROUP : Topics.INGEST_GROUP + '-' + region;
        return kafka.client(Map.ofEntries(
                entry(ConsumerConfig.GROUP_ID_CONFIG, group),
                entry(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MS),
                entry(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MS),
                entry(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName()),
                entry(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"),
                entry(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false),
                entry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest"),
                entry(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false)));
    }

    public void start() {
        thread.start();
    }

    private void run() {
        consumer.subscribe(List.of(Topics.VENUES_ASSIGNMENT.name()), new Rebalances());
        topicSeenNs = System.nanoTime();
        try {
            while (!closing) {
                consumer.poll(POLL);
                if (isTopicGone()) {
                    lost.accept("topic " + Topics.VENUES_ASSIGNMENT.name() + " is gone; a restart creates it");
                    return;
                }
            }
        } catch (WakeupException e) {
            // closing
        } catch (RuntimeException e) {
            LOG.error("venues are lost to the group", e);
            lost.accept("its share of the venues is lost: " + e.getMessage());
        } finally {
            consumer.close(
                    CloseOptions.timeout(CLOSING).withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
        }
    }

    /** Without the topic its group responds and assigns nothing. So a process without venues looks for it, every 10 s. */
    private boolean isTopicGone() {
        long now = System.nanoTime();
        if (!assigned.isEmpty()) {
            topicSeenNs = now;
        } else if (now - topicSeenNs >= TimeUnit.MILLISECONDS.toNanos(SESSION_MS)) {
            topicSeenNs = now;
            try {
                return consumer.partitionsFor(Topics.VENUES_ASSIGNMENT.name(), POLL)
                        .isEmpty();
            } catch (TimeoutException e) {
                return false; // brokers that are away
            }
        }
        return false;
    }

    private final class Rebalances implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            assigned.addAll(partitions);
            if (!partitions.isEmpty()) {
                given.accept(venues(partitions));
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            assigned.removeAll(partitions);
            if (!partitions.isEmpty()) {
                taken.accept(venues(partitions));
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            onPartitionsRevoked(partitions);
        }
    }

    private static List<ListedVenue> venues(Collection<TopicPartition> partitions) {
        return partitions.stream()
                .map(TopicPartition::partition)
                .filter(position -> position < ListedVenue.ALL.size())
                .sorted()
                .map(ListedVenue.ALL::get)
                .toList();
    }

    /** Leaves the group, so that others take over at once. */
    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        try {
            thread.join(CLOSING.plusSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
