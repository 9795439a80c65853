package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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

/** Faults of what is stored: state, offsets, a topic. */
public final class DataFaults {
    private enum Damage {
        CUT,
        ZEROED,
        GONE
    }

    private DataFaults() {}

    /** Between a clean stop and the next start files of the stores are cut in half, filled with zeros, or gone. */
    public static void stateDamaged(Installation on, Random random, Played played) throws Exception {
        on.streams().terminate();
        Damage damage = Damage.values()[random.nextInt(3)];
        List<Path> files;
        try (Stream<Path> all = Files.walk(on.folder().resolve(Installation.STREAMS))) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().equals(".lock"))
                    .sorted()
                    .toList();
        }
        int damaged = 0;
        for (Path file : files) {
            if (Files.size(file) > 1 && random.nextInt(3) > 0) {
                damage(file, damage);
                damaged++;
            }
        }
        if (damaged > 0) {
            played.fired(damaged + " of " + files.size() + " files " + damage);
        }
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since);
    }

    private static void damage(Path file, Damage damage) throws IOException {
        int size = (int) Files.size(file);
        switch (damage) {
            case CUT -> Files.write(file, Arrays.copyOf(Files.readAllBytes(file), size / 2));
            case ZEROED -> Files.write(file, new byte[size]);
            case GONE -> Files.delete(file);
        }
    }

    /** Everything is read again, and nothing may come out of it twice. */
    public static void offsetsReset(Installation on, Random random, Played played) throws Exception {
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

    /**
     * The topic of quotes is deleted: streams ends with one line, and the gateway keeps its last snapshot with its age. The topic is
     * created again, and streams is started.
     */
    public static void topicGone(Path folder, long seed, Played played) throws Exception {
        try (var on = new Installation(folder, seed, Installation.Plan.of(1))) {
            String topic = Topics.QUOTES_RAW.name();
            int before = on.probe().last().contracts().size();
            long since = System.nanoTime();
            on.kafka().admin().deleteTopics(List.of(topic)).all().get();
            played.fired(topic + " deleted");
            played.require(
                    Await.within(Duration.ofMinutes(2), () -> !on.streams().isAlive()),
                    "streams goes on without " + topic);
            played.require(
                    on.streams().hasLogged("topics [" + topic + "] are missing"), "no line names the missing topic");
            played.note("streams ended after "
                    + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
            TopicCreation.ensure(on.kafka().admin(), (short) 1);
            long recreated = System.nanoTime();
            on.streams().restart();
            on.probe().awaitWhole(Duration.ofSeconds(10));
            int after = on.probe().last().contracts().size();
            played.require(after == before, "the gateway shows " + after + " rows, before " + before);
            awaitFlow(on, recreated, played);
            on.probe().awaitWhole(Duration.ofSeconds(10));
            played.check(on.listInvariants());
        }
    }

    /** As an operator's restart rule would have it: a process that has ended is started again. */
    private static void awaitFlow(Installation on, long since, Played played) throws InterruptedException {
        for (int i = 0; i < 6; i++) {
            if (on.awaitFlow(Duration.ofSeconds(20))) {
                played.recovered(since);
                return;
            }
            if (!on.streams().isAlive()) {
                on.streams().restart();
            }
        }
        played.never(on.flowState());
    }
}
