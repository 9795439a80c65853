package io.fundingobservatory.testbed.broker;

import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker and its controller in this process, one node, sized for it. The directory outlives it: started on it again,
 * the broker has every record it had. The only class that uses the server's internals.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int NODE = 1;

    static final String NODE_ID = Integer.toString(NODE);

    private static final long MIN_FREE_BYTES = 128L * 1024 * 1024;

    private final KafkaRaftServer server;
    private final String bootstrapServers;

    private EmbeddedKafka(KafkaRaftServer server, String bootstrapServers) {
        this.server = server;
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * Starts a broker that only this machine can reach.
     *
     * @param dir where its records live; created and formatted when it is new
     * @param port the broker's port; 0 takes a free one
     * @throws BrokerStartFailure with one readable line
     */
    public static EmbeddedKafka start(Path dir, int port) {
        return start(dir, LOOPBACK, LOOPBACK, port);
    }

    /**
     * Starts a broker.
     *
     * @param dir directory of its records; created and formatted when it is new
     * @param bindAddress the address on which it listens; {@code 0.0.0.0} for all
     * @param advertisedHost the host name that it advertises to clients
     * @param port the broker's port; 0 takes a free one
     * @throws BrokerStartFailure with one readable line
     */
    public static EmbeddedKafka start(Path dir, String bindAddress, String advertisedHost, int port) {
        return start(dir, bindAddress, advertisedHost, port, Map.of(), List.of());
    }

    /**
     * Starts a broker on a free port, with settings over the usual ones.
     *
     * @param more settings of the broker
     * @param scram users that it has from the first start on: {@code SCRAM-SHA-512=[name=…,password=…]}
     */
    static EmbeddedKafka start(Path dir, Map<String, String> more, List<String> scram) {
        return start(dir, LOOPBACK, LOOPBACK, 0, more, scram);
    }

    /**
     * Starts a broker on a free port with authentication (SASL PLAIN) and ACLs. {@code admin} may do
     * everything.
     *
     * @param dir directory of its records; created and formatted when it is new
     * @param passwords the password of each user, {@code admin} among them
     * @throws BrokerStartFailure with one readable line
     */
    public static EmbeddedKafka startSecured(Path dir, Map<String, String> passwords) {
        var users = new StringBuilder();
        passwords.forEach((user, password) -> users.append(" user_")
                .append(user)
                .append("=\"")
                .append(password)
                .append('"'));
        var secured = new HashMap<String, String>();
        // The controller's listener is on the loopback address, and the broker is its only client.
        secured.put("listener.security.protocol.map", "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT");
        secured.put("inter.broker.listener.name", "PLAINTEXT");
        secured.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        secured.put("sasl.enabled.mechanisms", "PLAIN");
        secured.put("listener.name.plaintext.plain.sasl.jaas.config", login("admin", passwords.get("admin"), users));
        secured.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        secured.put("super.users", "User:admin;User:ANONYMOUS");
        return start(dir, secured, List.of());
    }

    /** Client settings of a user of a secured broker. */
    public static Map<String, String> clientOf(String user, String password) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                login(user, password, ""));
    }

    private static String login(String user, @Nullable String password, CharSequence options) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\"%s;"
                .formatted(user, password, options);
    }

    private static EmbeddedKafka start(
            Path dir,
            String bindAddress,
            String advertisedHost,
            int port,
            Map<String, String> more,
            List<String> scram) {
        Path home = dir.toAbsolutePath().normalize();
        requireUsable(home);
        int brokerPort = claimable(bindAddress, port == 0 ? FreePort.next() : port);
        int controllerPort = FreePort.next();
        while (controllerPort == brokerPort) {
            controllerPort = FreePort.next();
        }
        KafkaRaftServer server = null;
        try {
            format(home, scram);
            var config = config(home, bindAddress, advertisedHost, brokerPort, controllerPort);
            config.putAll(more);
            server = new KafkaRaftServer(new KafkaConfig(config, false), Time.SYSTEM);
            server.startup();
            return new EmbeddedKafka(server, advertisedHost + ":" + brokerPort);
        } catch (Exception e) {
            stop(server);
            throw BrokerStartFailure.of(home, e);
        }
    }

    /** Where clients connect: {@code host:port}. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Stops cleanly: everything is on disk when this returns. Closing again does nothing. */
    @Override
    public void close() {
        stop(server);
    }

    private static void stop(@Nullable KafkaRaftServer server) {
        if (server != null) {
            server.shutdown();
            server.awaitShutdown();
        }
    }

    private static void requireUsable(Path home) {
        try {
            Files.createDirectories(home);
            try (var channel = FileChannel.open(
                            home.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var lock = channel.tryLock()) {
                if (lock == null) {
                    throw locked(home, null);
                }
            } catch (OverlappingFileLockException e) {
                throw locked(home, e);
            }
            long free = Files.getFileStore(home).getUsableSpace();
            if (free < MIN_FREE_BYTES) {
                throw new BrokerStartFailure(
                        "disk full: only %d MB are free for the broker in %s; free at least %d MB or choose another directory"
                                .formatted(free >> 20, home, MIN_FREE_BYTES >> 20),
                        null);
            }
        } catch (IOException e) {
            throw BrokerStartFailure.of(home, e);
        }
    }

    private static BrokerStartFailure locked(Path home, @Nullable Exception cause) {
        return new BrokerStartFailure(
                "directory in use: another broker runs in %s; stop it or choose another directory".formatted(home),
                cause);
    }

    /** Returns the port; fails with its number when it is taken. */
    private static int claimable(String bindAddress, int port) {
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(bindAddress), port));
            return socket.getLocalPort();
        } catch (BindException e) {
            throw new BrokerStartFailure(
                    "port in use: %s:%d is taken (%s); stop what listens there or choose another port"
                            .formatted(bindAddress, port, e.getMessage()),
                    e);
        } catch (IOException | IllegalArgumentException e) {
            throw new BrokerStartFailure(
                    "cannot listen on %s:%d (%s); choose another address or port"
                            .formatted(bindAddress, port, BrokerStartFailure.firstLine(e)),
                    e);
        }
    }

    private static void format(Path home, List<String> scram) throws Exception {
        if (Files.exists(home.resolve("meta.properties"))) {
            return;
        }
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(NODE)
                .setScramArguments(scram)
                .setClusterId(Uuid.randomUuid().toString())
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(home.toString())
                .setDirectories(List.of(home.toString()))
                .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                .setIgnoreFormatted(true)
                .run();
    }

    private static Map<String, String> config(
            Path home, String bind, String advertised, int brokerPort, int controllerPort) {
        var config = new HashMap<String, String>();
        config.put("process.roles", "broker,controller");
        // A transaction's first batch waits here for the marks of the one before; by default it is refused after 100
        // ms.
        config.put("add.partitions.to.txn.retry.backoff.max.ms", "5000");
        config.put("node.id", NODE_ID);
        config.put("log.dirs", home.toString());
        config.put(
                "listeners",
                "PLAINTEXT://%s:%d,CONTROLLER://%s:%d".formatted(bind, brokerPort, LOOPBACK, controllerPort));
        config.put("advertised.listeners", "PLAINTEXT://%s:%d".formatted(advertised, brokerPort));
        config.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        config.put("controller.listener.names", "CONTROLLER");
        config.put("controller.quorum.voters", "%d@%s:%d".formatted(NODE, LOOPBACK, controllerPort));
        // One node: nothing is replicated, nothing waits for more members.
        for (String one : List.of(
                "default.replication.factor",
                "min.insync.replicas",
                "offsets.topic.replication.factor",
                "transaction.state.log.replication.factor",
                "transaction.state.log.min.isr",
                "share.coordinator.state.topic.replication.factor",
                "share.coordinator.state.topic.min.isr",
                "share.coordinator.state.topic.num.partitions",
                "group.coordinator.threads",
                "share.coordinator.threads",
                "log.cleaner.threads")) {
            config.put(one, "1");
        }
        config.put("group.initial.rebalance.delay.ms", "0");
        config.put("auto.create.topics.enable", "false");
        config.put("message.max.bytes", Integer.toString(Topics.LARGEST_RECORD));
        // Small: the defaults are made for a machine of its own.
        config.put("offsets.topic.num.partitions", "4");
        config.put("transaction.state.log.num.partitions", "4");
        config.put("num.network.threads", "2");
        config.put("num.io.threads", "4");
        config.put("background.threads", "2");
        config.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 * 1024 * 1024));
        config.put("log.segment.bytes", Integer.toString(128 * 1024 * 1024));
        // An index has its largest size on disk until its segment is closed, and recovery writes and syncs it
        // again. With an entry for each 64 kB the largest segment needs 2,048 entries of at most 12 bytes.
        config.put("log.index.interval.bytes", Integer.toString(64 * 1024));
        config.put("log.index.size.max.bytes", Integer.toString(32 * 1024));
        // Recovery waits for the disk, partition by partition.
        config.put("num.recovery.threads.per.data.dir", "8");
        // A broker that was killed is registered until its session times out (9 s by default), and its successor waits
        // for that.
        config.put("broker.session.timeout.ms", "3000");
        config.put("broker.heartbeat.interval.ms", "500");
        return config;
    }
}
