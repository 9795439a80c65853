package io.fundingobservatory.faults.process;

import io.fundingobservatory.faults.network.Link;
import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.FreePort;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * One or three brokers, one process each, which are controllers as well. Every client has its own listener at
 * every broker, and that listener's advertised address is a {@link Link}. So the network between a client and
 * a broker can be disturbed without an effect on the others. The test itself is a client without links.
 */
public final class BrokerCluster implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final Duration READY = Duration.ofMinutes(5);

    /** Small, for several on one machine. As in deploy/compose.cluster.yaml, expired transactions are looked for every second. */
    private static final String SMALL_BROKER = """
            process.roles = broker,controller
            inter.broker.listener.name = BROKERS
            controller.listener.names = CONTROLLER
            group.initial.rebalance.delay.ms = 0
            transaction.abort.timed.out.transaction.cleanup.interval.ms = 1000
            auto.create.topics.enable = false
            message.max.bytes = 8388608
            offsets.topic.num.partitions = 4
            transaction.state.log.num.partitions = 4
            share.coordinator.state.topic.num.partitions = 1
            num.network.threads = 1
            num.io.threads = 4
            background.threads = 2
            log.cleaner.threads = 1
            num.recovery.threads.per.data.dir = 1
            log.cleaner.dedupe.buffer.size = 4194304
            log.index.size.max.bytes = 262144
            """;

    private final int size;
    private final Path folder;
    private final List<JavaProcess> brokers = new ArrayList<>();
    private final Map<String, List<Link>> links = new HashMap<>();
    private final String direct;
    private final Admin admin;

    private BrokerCluster(Path folder, List<Path> disks, int size, List<String> clients) {
        this.folder = folder;
        this.size = size;
        int listeners = clients.size() + 3;
        List<Integer> ports =
                Stream.generate(FreePort::next).limit((long) size * listeners).toList();
        String voters = IntStream.range(0, size)
                .mapToObj(i -> (i + 1) + "@" + HOST + ":" + ports.get(i * listeners))
                .collect(Collectors.joining(","));
        this.direct = IntStream.range(0, size)
                .mapToObj(i -> HOST + ":" + ports.get(i * listeners + 2))
                .collect(Collectors.joining(","));
        String cluster = Uuid.randomUuid().toString();
        for (int i = 0; i < size; i++) {
            List<Integer> own = ports.subList(i * listeners, (i + 1) * listeners);
            var listen = new ArrayList<String>();
            var advertised = new ArrayList<String>();
            add(listen, "CONTROLLER", own.get(0));
            add(listen, "BROKERS", own.get(1));
            add(advertised, "BROKERS", own.get(1));
            add(listen, "TEST", own.get(2));
            add(advertised, "TEST", own.get(2));
            for (int c = 0; c < clients.size(); c++) {
                String name = listener(clients.get(c));
                Link link = Link.to(own.get(3 + c));
                links.computeIfAbsent(clients.get(c), client -> new ArrayList<>())
                        .add(link);
                add(listen, name, own.get(3 + c));
                add(advertised, name, link.port());
            }
            Path home = i < disks.size() ? disks.get(i) : folder.resolve("broker-" + (i + 1));
            var config = config(i, home, voters, listen, advertised);
            brokers.add(JavaProcess.start(spec(i, write(i, config), cluster), folder));
        }
        this.admin = Admin.create(Map.of("bootstrap.servers", direct));
    }

    /**
     * Starts brokers with the catalogue's topics, copied to all of them.
     *
     * @param clients names of those that get links
     * @param disks where the first brokers have their records if not in the folder
     */
    public static BrokerCluster start(Path folder, int size, List<String> clients, List<Path> disks) {
        var cluster = new BrokerCluster(folder, disks, size, clients);
        try {
            cluster.awaitBrokers();
            TopicCreation.ensure(cluster.admin, (short) size);
            cluster.awaitTopics();
            return cluster;
        } catch (ExecutionException e) {
            cluster.close();
            throw new IllegalStateException("no topics", e);
        } catch (InterruptedException e) {
            cluster.close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void add(List<String> listeners, String name, int port) {
        listeners.add(name + "://" + HOST + ":" + port);
    }

    private static String listener(String client) {
        return client.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private Properties config(int i, Path home, String voters, List<String> listen, List<String> advertised) {
        var config = new Properties();
        config.putAll(Map.of(
                "node.id", Integer.toString(i + 1),
                "log.dirs", home.toString(),
                "listeners", String.join(",", listen),
                "advertised.listeners", String.join(",", advertised),
                "controller.quorum.voters", voters));
        config.put(
                "listener.security.protocol.map",
                listen.stream()
                        .map(listener -> listener.substring(0, listener.indexOf(':')) + ":PLAINTEXT")
                        .collect(Collectors.joining(",")));
        String copies = Integer.toString(size);
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            config.put(topic + ".replication.factor", copies);
        }
        config.put("default.replication.factor", copies);
        String inSync = Integer.toString(size == 1 ? 1 : size - 1);
        config.put("min.insync.replicas", inSync);
        config.put("transaction.state.log.min.isr", inSync);
        config.put("share.coordinator.state.topic.min.isr", inSync);
        try {
            config.load(new StringReader(SMALL_BROKER));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return config;
    }

    private Path write(int i, Properties config) {
        Path file = folder.resolve("broker-" + (i + 1) + ".properties");
        try {
            Files.createDirectories(folder);
            try (var writer = Files.newBufferedWriter(file)) {
                config.store(writer, null);
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JavaProcess.Spec spec(int i, Path config, String cluster) {
        return new JavaProcess.Spec(
                "broker-" + (i + 1),
                List.of(
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dobservatory.faults.log=WARN",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerMain.class.getName(),
                        config.toString(),
                        cluster),
                Map.of(),
                0);
    }

    /** Until every broker has joined. */
    private void awaitBrokers() throws InterruptedException {
        await(
                size + " brokers",
                () -> admin.describeCluster().nodes().get(2, TimeUnit.SECONDS).size() == size);
    }

    /** Until every broker has joined and every copy of every partition is in sync. */
    public void awaitAllInSync() throws InterruptedException {
        awaitBrokers();
        await(
                "all copies in sync",
                () -> topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .allMatch(partition -> partition.leader() != null
                                && partition.isr().size()
                                        == partition.replicas().size()));
    }

    /**
     * Waits until every partition responds. If a broker refuses a producer's first batch for a missing
     * partition and takes its second, the first can never be delivered. A broker accepts any sequence number
     * of an unknown producer.
     */
    private void awaitTopics() throws InterruptedException {
        await("topics that respond", () -> {
            var partitions = new HashMap<TopicPartition, OffsetSpec>();
            topics().forEach(topic -> topic.partitions()
                    .forEach(partition -> partitions.put(
                            new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest())));
            return admin.listOffsets(partitions).all().get().size() == partitions.size();
        });
    }

    private Collection<TopicDescription> topics() throws InterruptedException, ExecutionException {
        return admin.describeTopics(admin.listTopics().names().get())
                .allTopicNames()
                .get()
                .values();
    }

    /** Checks again after a failure: a broker may not be there yet. */
    private static void await(String what, Await.Condition<Exception> condition) throws InterruptedException {
        var last = new AtomicReference<>("no failure");
        boolean holds = Await.within(READY, () -> {
            try {
                return condition.holds();
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                last.set(e.toString());
                return false;
            }
        });
        if (!holds) {
            throw new IllegalStateException("no " + what + " within " + READY + ": " + last.get());
        }
    }

    /** Where a client connects, through its links. */
    public String bootstrap(String client) {
        return links.get(client).stream().map(link -> HOST + ":" + link.port()).collect(Collectors.joining(","));
    }

    /** Where the test itself connects. */
    public String direct() {
        return direct;
    }

    /** The links of a client, one to each broker. */
    public List<Link> links(String client) {
        return links.get(client);
    }

    public List<JavaProcess> brokers() {
        return brokers;
    }

    public Admin admin() {
        return admin;
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
        brokers.forEach(JavaProcess::close);
        links.values().forEach(each -> each.forEach(Link::close));
    }
}
