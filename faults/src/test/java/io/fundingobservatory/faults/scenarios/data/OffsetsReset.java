package io.fundingobservatory.faults.scenarios.data;

import io.fundingobservatory.faults.process.Await;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The offsets of the inputs are set to the beginning: everything is read again, and nothing may come out of it twice. */
public final class OffsetsReset implements Fault {
    private static final String GROUP = "observatory-streams";

    @Override
    public String id() {
        return "F20";
    }

    @Override
    public String what() {
        return "offsets reset to the beginning";
    }

    @Override
    public Duration bound() {
        return Duration.ofSeconds(30);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        on.streams().terminate();
        Map<TopicPartition, OffsetAndMetadata> beginning = IntStream.range(0, Topics.QUOTES_RAW.partitions())
                .mapToObj(i -> new TopicPartition(Topics.QUOTES_RAW.name(), i))
                .collect(Collectors.toMap(partition -> partition, partition -> new OffsetAndMetadata(0)));
        reset(on.kafka().admin(), beginning);
        played.fired("6 partitions at 0");
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since, Duration.ofSeconds(120));
    }

    /** A static member that has stopped stays in the group until its session ends; before that offsets cannot be changed. */
    private static void reset(Admin admin, Map<TopicPartition, OffsetAndMetadata> to) throws InterruptedException {
        var last = new AtomicReference<>("not tried");
        boolean done = Await.until(Duration.ofSeconds(60), () -> {
            try {
                admin.alterConsumerGroupOffsets(GROUP, to).all().get();
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
