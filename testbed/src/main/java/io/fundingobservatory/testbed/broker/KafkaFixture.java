package io.fundingobservatory.testbed.broker;

import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.images.PullPolicy;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A broker for a test, with the catalogue's topics: a container where a Docker engine responds and has the image, else the embedded
 * one. {@code OBSERVATORY_TEST_KAFKA=embedded|docker} (system property or environment) forces one; {@code docker} also fetches the
 * image. Says which one it is, and why it is not a container.
 */
public final class KafkaFixture implements AutoCloseable {
    /** The property and environment variable that forces a kind of broker. */
    public static final String CHOICE = "OBSERVATORY_TEST_KAFKA";

    private static final DockerImageName IMAGE = DockerImageName.parse("apache/kafka:4.3.1");
    private static final Duration STOPPING = Duration.ofSeconds(2);
    private static final Duration LED_WITHIN = Duration.ofSeconds(30);

    /** Whether a container can be had, found out once for the whole test run. */
    private static final class Docker {
        /** Why no container can be had; null where one can. */
        static final @Nullable String MISSING = missing();

        private static @Nullable String missing() {
            // Otherwise a helper container is started as well, and its image may not be there.
            if (!"true".equals(System.getenv("TESTCONTAINERS_RYUK_DISABLED"))) {
                return "TESTCONTAINERS_RYUK_DISABLED is not true";
            }
            if (!listens() || !DockerClientFactory.instance().isDockerAvailable()) {
                return "no Docker engine";
            }
            // Without a registry a pull fails after two minutes and a hundred lines.
            return PullPolicy.defaultPolicy().shouldPull(IMAGE) ? "no image " + IMAGE : null;
        }

        /** Whether an engine may be there. Testcontainers logs an error of four lines where none is. */
        private static boolean listens() {
            return System.getenv("DOCKER_HOST") != null
                    || Files.exists(Path.of("/var/run/docker.sock"))
                    || Files.exists(Path.of(System.getProperty("user.home"), ".docker", "run", "docker.sock"));
        }
    }

    private final String kind;
    private final String bootstrapServers;
    private final AutoCloseable broker;
    private final Admin admin;

    private KafkaFixture(String kind, String bootstrapServers, AutoCloseable broker) {
        this.kind = kind;
        this.bootstrapServers = bootstrapServers;
        this.broker = broker;
        this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    /** Starts a broker with every topic of the catalogue. */
    public static KafkaFixture start() {
        long begun = System.nanoTime();
        String choice = choice();
        KafkaFixture fixture = inDocker(choice) ? container() : embedded();
        try {
            fixture.createCatalogue();
        } catch (ExecutionException e) {
            fixture.close();
            throw new IllegalStateException("the catalogue could not be created", e);
        } catch (InterruptedException e) {
            fixture.close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        long tookMs = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        String why = choice == null && Docker.MISSING != null ? " (" + Docker.MISSING + ")" : "";
        System.out.println(
                "Kafka for this test: " + fixture.kind + why + ", " + fixture.bootstrapServers + ", " + tookMs + " ms");
        return fixture;
    }

    /**
     * Deletes all topics and groups, and creates the catalogue again: tests that share a broker each begin with an empty one. Their
     * clients must be closed; static members that outlive them are removed.
     */
    public void clear() {
        try {
            for (GroupListing group : admin.listGroups().all().get()) {
                removeGroup(group.groupId());
            }
            Set<String> topics = admin.listTopics().names().get();
            admin.deleteTopics(topics).all().get();
            Await.until(
                    "no topic is left", () -> admin.listTopics().names().get().isEmpty());
            createCatalogue();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker could not be cleared", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void removeGroup(String group) throws ExecutionException, InterruptedException {
        var described = admin.describeConsumerGroups(List.of(group)).all().get().values();
        if (described.stream().anyMatch(one -> !one.members().isEmpty())) {
            admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get();
        }
        admin.deleteConsumerGroups(List.of(group)).all().get();
    }

    private void createCatalogue() throws ExecutionException, InterruptedException {
        TopicCreation.ensure(admin, (short) 1);
        awaitLeaders();
    }

    /**
     * Waits until each partition responds. A new partition may refuse a producer's first batch and take its
     * second. A broker accepts any sequence number of an unknown producer, so the first batch then stays out
     * of sequence.
     */
    private void awaitLeaders() throws ExecutionException, InterruptedException {
        var partitions = new HashMap<TopicPartition, OffsetSpec>();
        for (NewTopic topic : TopicCreation.catalogue((short) 1)) {
            for (int i = 0; i < topic.numPartitions(); i++) {
                partitions.put(new TopicPartition(topic.name(), i), OffsetSpec.latest());
            }
        }
        long deadline = System.nanoTime() + LED_WITHIN.toNanos();
        while (true) {
            try {
                admin.listOffsets(partitions).all().get();
                return;
            } catch (ExecutionException e) {
                // the broker responds before it has received all topics of its controller
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    /** {@code host:port} for clients. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** A client of its own for topics, groups and offsets; closed with the fixture. */
    public Admin admin() {
        return admin;
    }

    @Override
    public void close() {
        admin.close(STOPPING);
        try {
            broker.close();
        } catch (Exception e) {
            throw new IllegalStateException("the broker did not stop", e);
        }
    }

    private static @Nullable String choice() {
        String forced = System.getProperty(CHOICE, System.getenv(CHOICE));
        return forced == null ? null : forced.toLowerCase(Locale.ROOT);
    }

    private static boolean inDocker(@Nullable String choice) {
        return switch (choice) {
            case null -> Docker.MISSING == null;
            case "docker" -> true;
            case "embedded" -> false;
            default -> throw new IllegalArgumentException(CHOICE + " is embedded or docker, not " + choice);
        };
    }

    private static KafkaFixture container() {
        var container = new KafkaContainer(IMAGE)
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
                .withEnv("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0")
                .withEnv("KAFKA_MESSAGE_MAX_BYTES", Integer.toString(Topics.LARGEST_RECORD));
        container.start();
        return new KafkaFixture("docker", container.getBootstrapServers(), container);
    }

    private static KafkaFixture embedded() {
        try {
            Path dir = Files.createTempDirectory("observatory-kafka");
            EmbeddedKafka broker = EmbeddedKafka.start(dir, 0);
            return new KafkaFixture("embedded", broker.bootstrapServers(), () -> {
                broker.close();
                delete(dir);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path dir) throws IOException {
        try (var files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
