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
import java.util.function.LongSupplier;
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
 */
public final class VenueAssignment implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VenueAssignment.class);
    static final int SESSION_MS = 10_000;

    /**
     * Metrics that count the responses of the group's coordinator. {@code last-heartbeat-seconds-ago} is of no use here: it counts from
     * when one was sent, even into a network that delivers nothing.
     */
    private static final Set<String> RESPONSE_COUNTS = Set.of("heartbeat-total", "join-total", "sync-total");

    /** With three seconds, a survivor may notice a death only after 14 s; two leave time for the takeover itself. */
    private static final int HEARTBEAT_MS = 2_000;

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final Consumer<List<ListedVenue>> given;
    private final Consumer<List<ListedVenue>> taken;
    private final Consumer<String> lost;
    private final LongSupplier elapsedMs;
    private final Thread thread;
    // These are used by the thread that polls the group alone.
    private final Set<TopicPartition> assigned = new HashSet<>();
    private double responses;
    private long respondedAtMs;
    private long topicSeenAtMs;
    private volatile boolean suspended;
    private volatile boolean closing;

    /**
     * Creates an assignment; {@link #start} joins the group. One thread makes all calls, and they must not block it.
     *
     * @param region which processes share the venues: those of one region; empty where there is only one
     * @param given receives venues that this process polls from now on
     * @param taken when it returns, these venues are not polled here any more
     * @param lost receives, once, why this process gets no venues until it is restarted
     */
    public VenueAssignment(
            KafkaAccess kafka,
            String region,
            Consumer<List<ListedVenue>> given,
            Consumer<List<ListedVenue>> taken,
            Consumer<String> lost) {
        this(
                new KafkaConsumer<>(config(kafka, region), new ByteArrayDeserializer(), new ByteArrayDeserializer()),
                given,
                taken,
                lost,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    VenueAssignment(
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            Consumer<List<ListedVenue>> given,
            Consumer<List<ListedVenue>> taken,
            Consumer<String> lost,
            LongSupplier elapsedMs) {
        this.consumer = consumer;
        this.elapsedMs = elapsedMs;
        this.given = given;
        this.taken = taken;
        this.lost = lost;
        this.thread = Thread.ofPlatform().name("venue-share").unstarted(this::run);
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
        topicSeenAtMs = elapsedMs.getAsLong();
        try {
            while (!closing) {
                consumer.poll(POLL);
                keepLease();
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

    /**
     * Suspends and resumes the polling with the membership in the group. The group reassigns a silent
     * member's venues after the session timeout. A process that cannot reach the group stops polling by
     * itself after the same time. It resumes when it reaches the group and still has them.
     */
    private void keepLease() {
        boolean expired = sinceResponseMs() > SESSION_MS;
        if (expired && !suspended && !assigned.isEmpty()) {
            suspended = true;
            LOG.warn(
                    "polling is suspended venues={} reason=\"no response of the group for {} s\"",
                    assigned.size(),
                    SESSION_MS / 1_000);
            taken.accept(venues(assigned));
        } else if (!expired && suspended) {
            suspended = false;
            LOG.info("polling is resumed venues={}", assigned.size());
            given.accept(venues(assigned));
        }
    }

    /** Without the topic its group responds and assigns nothing. So a process without venues looks for it, every 10 s. */
    private boolean isTopicGone() {
        long nowMs = elapsedMs.getAsLong();
        if (!assigned.isEmpty()) {
            topicSeenAtMs = nowMs;
        } else if (nowMs - topicSeenAtMs >= SESSION_MS) {
            topicSeenAtMs = nowMs;
            try {
                return consumer.partitionsFor(Topics.VENUES_ASSIGNMENT.name(), POLL)
                        .isEmpty();
            } catch (TimeoutException e) {
                return false; // brokers that are away
            }
        }
        return false;
    }

    /** Milliseconds since the coordinator's newest response, or since partitions were assigned. */
    private long sinceResponseMs() {
        double counted = consumer.metrics().values().stream()
                .filter(metric -> RESPONSE_COUNTS.contains(metric.metricName().name()))
                .mapToDouble(metric -> ((Number) metric.metricValue()).doubleValue())
                .sum();
        if (counted != responses) {
            responses = counted;
            respondedAtMs = elapsedMs.getAsLong();
        }
        return elapsedMs.getAsLong() - respondedAtMs;
    }

    private final class Rebalances implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            respondedAtMs = elapsedMs.getAsLong();
            assigned.addAll(partitions);
            if (!partitions.isEmpty() && !suspended) {
                given.accept(venues(partitions));
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            assigned.removeAll(partitions);
            if (!partitions.isEmpty() && !suspended) {
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

    /** Whether this process takes part; false also while its group does not respond and its polling is suspended. */
    public boolean isSharing() {
        return thread.isAlive() && !suspended;
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
