package io.fundingobservatory.faults.process;

import io.fundingobservatory.faults.network.Link;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
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

    private final int size;
    private final Path folder;
    private final List<JavaProcess> brokers = new ArrayList<>();
    private final Map<String, List<Link>> links = new HashMap<>();
    private final String direct;
    private final Admin admin;

    private BrokerCluster(
            Path folder, Map<Integer, Path> disks, int size, List<String> clients, Map<String, String> more) {
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
            Path home = disks.getOrDefault(i, folder.resolve("broker-" + (i + 1)));
            var config = config(i, home, voters, listen, advertised);
            config.putAll(more);
            brokers.add(JavaProcess.start(spec(i, write(i, config), cluster), folder));
        }
        this.admin = Admin.create(Map.of("bootstrap.servers", direct));
    }

    /**
     * Starts brokers with the catalogue's topics, copied to all of them.
     *
     * @param disks where a broker, counted from 0, has its records if not in the folder
     * @param clients names of those that get links
     * @param more settings of each broker
     */
    public static BrokerCluster start(
            Path folder, int size, List<String> clients, Map<Integer, Path> disks, Map<String, String> more) {
        var cluster = new BrokerCluster(folder, disks, size, clients, more);
        try {
            cluster.awaitAll();
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
        config.put("process.roles", "broker,controller");
        config.put("node.id", Integer.toString(i + 1));
        config.put("log.dirs", home.toString());
        config.put("listeners", String.join(",", listen));
        config.put("advertised.listeners", String.join(",", advertised));
        config.put(
                "listener.security.protocol.map",
                listen.stream()
                        .map(listener -> listener.substring(0, listener.indexOf(':')) + ":PLAINTEXT")
                        .collect(Collectors.joining(",")));
        config.put("inter.broker.listener.name", "BROKERS");
        config.put("controller.listener.names", "CONTROLLER");
        config.put("controller.quorum.voters", voters);
        String copies = Integer.toString(size);
        String inSync = Integer.toString(size == 1 ? 1 : size - 1);
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            config.put(topic + ".replication.factor", copies);
        }
        config.put("default.replication.factor", copies);
        config.put("min.insync.replicas", inSync);
        config.put("transaction.state.log.min.isr", inSync);
        config.put("share.coordinator.state.topic.min.isr", inSync);
        config.put("group.initial.rebalance.delay.ms", "0");
        // As in deploy/compose.cluster.yaml: the open transaction of a frozen instance blocks all consumers.
        config.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
        config.put("auto.create.topics.enable", "false");
        config.put("message.max.bytes", Integer.toString(8 * 1024 * 1024));
        // Small, for several on one machine.
        config.put("offsets.topic.num.partitions", "4");
        config.put("transaction.state.log.num.partitions", "4");
        config.put("share.coordinator.state.topic.num.partitions", "1");
        config.put("num.network.threads", "1");
        config.put("num.io.threads", "4");
        config.put("background.threads", "2");
        config.put("log.cleaner.threads", "1");
        config.put("num.recovery.threads.per.data.dir", "1");
        config.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 * 1024 * 1024));
        config.put("log.index.size.max.bytes", Integer.toString(256 * 1024));
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
    public void awaitAll() throws InterruptedException {
        await(size);
    }

    /** Until so many brokers are there. */
    public void await(int wanted) throws InterruptedException {
        var last = new AtomicReference<>("not asked");
        boolean there = Await.within(READY, () -> {
            try {
                int nodes =
                        admin.describeCluster().nodes().get(2, TimeUnit.SECONDS).size();
                last.set(nodes + " brokers");
                return nodes == wanted;
            } catch (ExecutionException | TimeoutException e) {
                last.set(e.toString());
                return false;
            }
        });
        if (!there) {
            throw new IllegalStateException("not " + wanted + " brokers within " + READY + ": " + last.get());
        }
    }

    /**
     * Waits until every partition responds. If a broker refuses a producer's first batch for a missing
     * partition and takes its second, the first can never be delivered. A broker accepts any sequence number
     * of an unknown producer.
     */
    private void awaitTopics() throws InterruptedException {
        var last = new AtomicReference<>("not asked");
        boolean responded = Await.within(READY, () -> {
            try {
                var partitions = new HashMap<TopicPartition, OffsetSpec>();
                admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get().values().stream()
                        .forEach(topic -> topic.partitions()
                                .forEach(partition -> partitions.put(
                                        new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest())));
                admin.listOffsets(partitions).all().get();
                return true;
            } catch (ExecutionException e) {
                last.set(e.toString());
                return false;
            }
        });
        if (!responded) {
            throw new IllegalStateException("topics do not respond: " + last.get());
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
