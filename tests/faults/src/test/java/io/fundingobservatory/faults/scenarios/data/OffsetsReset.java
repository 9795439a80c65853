package io.fundingobservatory.faults.scenarios.data;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The offsets of the inputs are set to the beginning: everything is read again, and nothing may come out of it twice. */
public final class OffsetsReset implements Fault {
    @Override
    public String id() {
        return "F20";
    }

    @Override
    public String what() {
        return "offsets reset to the beginning";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(30);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        on.streams().terminate();
        Admin admin = on.kafka().admin();
        reset(admin, Topics.STREAMS_GROUP, beginning(Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW));
        reset(admin, Topics.PAIRS_GROUP, beginning(Topics.CONTRACT_EVENTS));
        played.fired("three topics at 0");
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since);
    }

    private static Map<TopicPartition, OffsetAndMetadata> beginning(Topic<?>... topics) {
        return Stream.of(topics)
                .flatMap(topic ->
                        IntStream.range(0, topic.partitions()).mapToObj(i -> new TopicPartition(topic.name(), i)))
                .collect(Collectors.toMap(partition -> partition, partition -> new OffsetAndMetadata(0)));
    }

    /** A static member that has stopped stays in the group until its session ends; before that offsets cannot be changed. */
    private static void reset(Admin admin, String group, Map<TopicPartition, OffsetAndMetadata> to)
            throws InterruptedException {
        var last = new AtomicReference<>("not tried");
        boolean done = Await.within(Duration.ofSeconds(60), () -> {
            try {
                admin.alterConsumerGroupOffsets(group, to).all().get();
                return true;
            } catch (ExecutionException e) {
                last.set(e.toString());
                return false;
            }
        });
        if (!done) {
            throw new IllegalStateException("offsets not reset: " + last.get());
        }
    }
}
