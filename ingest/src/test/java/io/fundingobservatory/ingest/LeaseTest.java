package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that does not reach its group: after a session its venues are another's, so it stops polling them by itself. */
class LeaseTest {
    private static final List<TopicPartition> TWO = List.of(
            new TopicPartition(Topics.VENUES_ASSIGNMENT.name(), 0),
            new TopicPartition(Topics.VENUES_ASSIGNMENT.name(), 1));
    private static final String FIRST = ListedVenue.ALL.get(0).id();
    private static final String SECOND = ListedVenue.ALL.get(1).id();

    /** A group whose coordinator responds to as many heartbeats as the test sets; the consumer sends them in any case. */
    private static final class Group extends MockConsumer<byte[], byte[]> {
        private volatile long heartbeats = 1;

        Group() {
            super("latest");
            TWO.forEach(partition -> updateEndOffsets(Map.of(partition, 0L)));
        }

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(java.time.Duration timeout) {
            Thread.yield();
            return super.poll(timeout);
        }

        @Override
        public synchronized Map<MetricName, ? extends Metric> metrics() {
            return Map.of(
                    name("last-heartbeat-seconds-ago"), metric("last-heartbeat-seconds-ago", 1),
                    name("heartbeat-total"), metric("heartbeat-total", heartbeats));
        }

        private static MetricName name(String name) {
            return new MetricName(name, "consumer-coordinator-metrics", "", Map.of());
        }

        private static Metric metric(String name, double value) {
            return new Metric() {
                @Override
                public MetricName metricName() {
                    return name(name);
                }

                @Override
                public Object metricValue() {
                    return value;
                }
            };
        }
    }

    private final AtomicLong elapsedMs = new AtomicLong(1_000);

    private final Group group = new Group();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final VenueAssignment assignment = new VenueAssignment(
            group,
            venues -> events.add("given " + venues.stream().map(ListedVenue::id).toList()),
            venues -> events.add("taken " + venues.stream().map(ListedVenue::id).toList()),
            reason -> events.add(reason),
            elapsedMs::get);

    /** Until the share has looked at its lease so often. */
    private void awaitChecks(int times) throws InterruptedException {
        var checked = new CountDownLatch(times + 1);
        for (int i = 0; i <= times; i++) {
            group.schedulePollTask(checked::countDown);
        }
        assertTrue(checked.await(5, TimeUnit.MINUTES));
    }

    private String next() throws InterruptedException {
        return events.poll(5, TimeUnit.MINUTES);
    }

    @BeforeEach
    void isGivenTwoVenues() throws InterruptedException {
        group.schedulePollTask(() -> group.rebalance(TWO));
        assignment.start();
        assertEquals("given [" + FIRST + ", " + SECOND + "]", next());
    }

    @AfterEach
    void close() {
        assignment.close();
    }

    @Test
    void suspendsVenuesWithoutHeartbeatAndResumesThem() throws InterruptedException {
        awaitChecks(2);
        elapsedMs.addAndGet(VenueAssignment.SESSION_MS);
        awaitChecks(2);
        assertNull(events.poll(), "the session has not ended yet");
        assertTrue(assignment.isSharing());
        elapsedMs.addAndGet(1);
        assertEquals("taken [" + FIRST + ", " + SECOND + "]", next());
        assertFalse(assignment.isSharing());
        group.heartbeats++;
        assertEquals("given [" + FIRST + ", " + SECOND + "]", next());
        assertTrue(assignment.isSharing());
    }

    @Test
    void doesNotResumeVenuesAssignedElsewhere() throws InterruptedException {
        awaitChecks(2);
        elapsedMs.addAndGet(60_000);
        assertEquals("taken [" + FIRST + ", " + SECOND + "]", next());
        group.schedulePollTask(() -> group.rebalance(TWO.subList(1, 2)));
        group.schedulePollTask(() -> group.heartbeats++);
        assertEquals("given [" + SECOND + "]", next());
    }

    @Test
    void logsLostGroupInOneLine() throws InterruptedException {
        group.setPollException(new KafkaException("not authorised"));
        assertEquals("its share of the venues is lost: not authorised", next());
    }

    @Test
    void withoutVenuesItLooksForTheirTopic() throws InterruptedException {
        String topic = Topics.VENUES_ASSIGNMENT.name();
        group.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, null, null, null)));
        group.schedulePollTask(() -> group.rebalance(List.of()));
        assertEquals("taken [" + FIRST + ", " + SECOND + "]", next());
        awaitChecks(2);
        elapsedMs.addAndGet(VenueAssignment.SESSION_MS);
        awaitChecks(2);
        assertTrue(assignment.isSharing(), "others may have all venues");
        group.updatePartitions(topic, List.of());
        awaitChecks(2);
        assertTrue(assignment.isSharing(), "it looks every 10 s");
        elapsedMs.addAndGet(VenueAssignment.SESSION_MS);
        assertEquals("topic venues.assignment is gone; a restart creates it", next());
    }
}
