package io.fundingobservatory.faults.invariants;

import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * A while after the last fault and the last quote, no transaction is open on any topic. Consumers of
 * committed records then read every topic to its end.
 */
public final class NoHangingTransaction {
    /** {@code transaction.timeout.ms} of Kafka Streams is 10 s; the brokers look for expired ones every 10 s. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> violations = new ArrayList<>();

    public void check(Admin admin) throws InterruptedException, ExecutionException {
        if (!Await.within(PATIENCE, () -> open(admin).isEmpty())) {
            violations.addAll(open(admin));
        }
    }

    /** Partitions on which a transaction is open, with its offsets. */
    public static List<String> open(Admin admin) throws InterruptedException, ExecutionException {
        var partitions = new HashMap<TopicPartition, OffsetSpec>();
        for (var topic :
                admin.describeTopics(names(admin)).allTopicNames().get().values()) {
            topic.partitions()
                    .forEach(partition -> partitions.put(
                            new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest()));
        }
        var committed = admin.listOffsets(partitions, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get();
        var all = admin.listOffsets(partitions, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                .all()
                .get();
        var open = new ArrayList<String>();
        for (Map.Entry<TopicPartition, ?> each : committed.entrySet()) {
            long stable = committed.get(each.getKey()).offset();
            long end = all.get(each.getKey()).offset();
            if (stable < end) {
                open.add(each.getKey() + " is open from " + stable + " to " + end);
            }
        }
        return open;
    }

    private static List<String> names(Admin admin) throws InterruptedException, ExecutionException {
        var written = List.of(
                        Topics.RATES_NORMALISED,
                        Topics.RATES_LATEST,
                        Topics.CONTRACT_EVENTS,
                        Topics.SETTLEMENTS,
                        Topics.CARRY_PAIRS)
                .stream()
                .map(Topic::name)
                .toList();
        return admin.listTopics().names().get().stream()
                .filter(name -> written.contains(name) || name.endsWith("-changelog") || name.endsWith("-repartition"))
                .toList();
    }

    public List<String> violations() {
        return List.copyOf(violations);
    }
}
