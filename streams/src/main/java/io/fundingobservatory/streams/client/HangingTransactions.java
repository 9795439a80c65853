package io.fundingobservatory.streams.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds transactions that stay open on a partition after their coordinator has done with them, and aborts them there. Nothing behind
 * such a one is ever read by readers of committed records: rows, changelogs and the topology itself stand still, without an error.
 *
 * <p>How one comes about: a coordinator that ends a transaction while a partition has no leader takes the partition for deleted and
 * leaves out its marker ("Couldn't find leader endpoint for partitions", {@code TransactionMarkerChannelManager}, Kafka 4.3); seen on a
 * broker that came back from a full disk. The test is that of {@code kafka-transactions.sh find-hanging} (KIP-664): the coordinator
 * knows the producer at a later epoch, ends no transaction of it, and has the partition in none. What it still works on is left to it.
 */
final class HangingTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(HangingTransactions.class);

    /** Brokers look for expired transactions as often, unless set otherwise (transaction.abort.timed.out.transaction.cleanup.interval.ms). */
    private static final Duration BROKERS_LOOK_EVERY = Duration.ofSeconds(10);

    private static final Duration MARGIN = Duration.ofSeconds(1);

    /** In the others markers are still to be written. */
    private static final Set<TransactionState> ENDS_NOTHING = Set.of(
            TransactionState.EMPTY,
            TransactionState.ONGOING,
            TransactionState.COMPLETE_ABORT,
            TransactionState.COMPLETE_COMMIT);

    /** An open transaction in the group's partition keeps its consumers from learning where to read on. */
    private static final String OFFSETS = "__consumer_offsets";

    private final Admin admin;
    private final Set<String> topics;
    private final String applicationId;
    /** No transaction is as old: coordinators are asked what keeps one open. */
    private final Duration askedAfter;

    /** Brokers would have ended one that is as old: people are told. */
    private final Duration toldAfter;

    private final LongSupplier nanoTime;
    private final Map<TopicPartition, Stall> stalled = new HashMap<>();
    private final Set<TopicPartition> told = new HashSet<>();
    private volatile List<String> heldUp = List.of();

    /** A last stable offset with records behind it, and since when it has not moved, by {@link System#nanoTime}. */
    private record Stall(long lastStableOffset, long sinceNs) {}

    /** A transaction that is open on a partition. */
    record Open(TopicPartition partition, ProducerState producer) {}

    /**
     * Nothing is asked yet.
     *
     * @param topics that transactions write to, beside the application's internal ones and its offsets
     * @param applicationId the consumer group, with which the names of internal topics begin
     * @param timeout after which brokers abort a transaction of these topics
     */
    HangingTransactions(
            Admin admin, Collection<String> topics, String applicationId, Duration timeout, LongSupplier nanoTime) {
        this.admin = admin;
        this.topics = Set.copyOf(topics);
        this.applicationId = applicationId;
        this.askedAfter = timeout.plus(MARGIN);
        this.toldAfter = askedAfter.plus(BROKERS_LOOK_EVERY);
        this.nanoTime = nanoTime;
    }

    /** Partitions whose last stable offset has stood still for longer than any transaction lasts, as of the last look. */
    List<String> heldUp() {
        return heldUp;
    }

    /** Looks once. What brokers do not answer is no news of any partition, and the waiting begins anew. */
    void look() throws InterruptedException {
        try {
            compareOffsets();
            Set<TopicPartition> late = stalledFor(askedAfter);
            if (!late.isEmpty()) {
                abortForgotten(late);
            }
            Set<TopicPartition> held = stalledFor(toldAfter);
            for (TopicPartition partition : held) {
                tell(partition, "its coordinator has not done with it, or does not know it");
            }
            told.retainAll(stalled.keySet());
            heldUp = held.stream().map(TopicPartition::toString).sorted().toList();
        } catch (ExecutionException e) {
            stalled.clear();
        }
    }

    private void compareOffsets() throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> latest = partitions();
        Map<TopicPartition, Long> ends = ends(latest, IsolationLevel.READ_UNCOMMITTED);
        // Asked for last: between the two a partition may only come nearer to its end.
        Map<TopicPartition, Long> stable = ends(latest, IsolationLevel.READ_COMMITTED);
        long now = nanoTime.getAsLong();
        for (var last : stable.entrySet()) {
            TopicPartition partition = last.getKey();
            long lastStable = last.getValue();
            if (lastStable >= ends.getOrDefault(partition, lastStable)) {
                stalled.remove(partition);
                continue;
            }
            Stall before = stalled.get(partition);
            if (before == null || before.lastStableOffset() != lastStable) {
                stalled.put(partition, new Stall(lastStable, now));
            }
        }
        stalled.keySet().retainAll(latest.keySet());
    }

    private Set<TopicPartition> stalledFor(Duration time) {
        long now = nanoTime.getAsLong();
        var late = new HashSet<TopicPartition>();
        stalled.forEach((partition, since) -> {
            if (now - since.sinceNs() >= time.toNanos()) {
                late.add(partition);
            }
        });
        return late;
    }

    /** Where partitions end for readers of that isolation. */
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
        var names = new TreeSet<String>();
        for (String name : admin.listTopics(new ListTopicsOptions().listInternal(true))
                .names()
                .get()) {
            if (topics.contains(name) || name.startsWith(applicationId + '-') || name.equals(OFFSETS)) {
                names.add(name);
            }
        }
        var latest = new HashMap<TopicPartition, OffsetSpec>();
        admin.describeTopics(names).allTopicNames().get().forEach((name, topic) -> {
            int count = topic.partitions().size();
            for (int partition = 0; partition < count; partition++) {
                if (!name.equals(OFFSETS) || partition == Utils.abs(applicationId.hashCode()) % count) {
                    latest.put(new TopicPartition(name, partition), OffsetSpec.latest());
                }
            }
        });
        return latest;
    }

    /** Aborts what its coordinator has done with; those partitions are stalled no longer. */
    private void abortForgotten(Set<TopicPartition> late) throws InterruptedException {
        try {
            List<Open> open = open(late);
            Map<Long, TransactionDescription> coordinators = coordinators(open);
            for (Open one : open) {
                TransactionDescription known = coordinators.get(one.producer().producerId());
                if (known != null && isForgotten(one, known)) {
                    abort(one);
                }
            }
        } catch (ExecutionException e) {
            late.forEach(partition -> tellWhenOverdue(partition, e));
        }
    }

    /** What is open on those partitions whose leaders tell it: a role may not be allowed to read all of them. */
    private List<Open> open(Set<TopicPartition> late) throws InterruptedException {
        var open = new ArrayList<Open>();
        DescribeProducersResult described = admin.describeProducers(late);
        for (TopicPartition partition : late) {
            try {
                for (ProducerState producer :
                        described.partitionResult(partition).get().activeProducers()) {
                    if (producer.currentTransactionStartOffset().isPresent()) {
                        open.add(new Open(partition, producer));
                    }
                }
            } catch (ExecutionException e) {
                tellWhenOverdue(partition, e);
            }
        }
        return open;
    }

    /** What coordinators know of producers; nothing of one that none knows. */
    private Map<Long, TransactionDescription> coordinators(List<Open> open)
            throws InterruptedException, ExecutionException {
        var producers = new HashSet<Long>();
        open.forEach(one -> producers.add(one.producer().producerId()));
        var known = new HashMap<Long, TransactionDescription>();
        if (!producers.isEmpty()) {
            List<String> ids =
                    admin
                            .listTransactions(new ListTransactionsOptions().filterProducerIds(producers))
                            .all()
                            .get()
                            .stream()
                            .map(TransactionListing::transactionalId)
                            .toList();
            for (TransactionDescription each :
                    admin.describeTransactions(ids).all().get().values()) {
                known.put(each.producerId(), each);
            }
        }
        return known;
    }

    /** Whether a coordinator will never end what is open: it is past that epoch, ends nothing, and has no transaction there. */
    static boolean isForgotten(Open open, TransactionDescription coordinator) {
        return coordinator.producerId() == open.producer().producerId()
                && coordinator.producerEpoch() > open.producer().producerEpoch()
                && ENDS_NOTHING.contains(coordinator.state())
                && !coordinator.topicPartitions().contains(open.partition());
    }

    private void abort(Open open) throws InterruptedException {
        TopicPartition partition = open.partition();
        ProducerState producer = open.producer();
        long start = producer.currentTransactionStartOffset().orElseThrow();
        try {
            admin.abortTransaction(new AbortTransactionSpec(
                            partition,
                            producer.producerId(),
                            (short) producer.producerEpoch(),
                            producer.coordinatorEpoch().orElse(0)))
                    .all()
                    .get();
            stalled.remove(partition);
            LOG.warn(
                    "a transaction was left open by the brokers and is aborted topic={} partition={} start_offset={} producer_id={}",
                    partition.topic(),
                    partition.partition(),
                    start,
                    producer.producerId());
        } catch (ExecutionException e) {
            tell(partition, cause(e));
        }
    }

    private void tellWhenOverdue(TopicPartition partition, ExecutionException e) {
        if (stalledFor(toldAfter).contains(partition)) {
            tell(partition, cause(e));
        }
    }

    /** Once for each partition, for as long as it stands still. */
    private void tell(TopicPartition partition, String cause) {
        if (told.add(partition)) {
            LOG.warn(
                    "a transaction stays open topic={} partition={} cause=\"{}\"",
                    partition.topic(),
                    partition.partition(),
                    cause);
        }
    }

    private static String cause(ExecutionException e) {
        return String.valueOf(e.getCause() == null ? e : e.getCause());
    }
}
