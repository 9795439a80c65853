package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.SecuredKafka;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What each role may do and what it may not, tried one by one on a broker with TLS, SCRAM and an authorizer, after the operator's own
 * commands have set it up.
 */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class RolesOnASecuredBrokerTest {
    /** By role: r may read, w may write. What is not here is denied, and so are creating, deleting and altering for everybody. */
    private static final String WANTED = """
            topic              ingest streams gateway team
            quotes.raw         w      r       -       -
            settlements.raw    w      r       -       -
            venues.status      rw     -       r       r
            rates.normalised   -      w       -       r
            rates.latest       -      w       r       r
            settlements        -      rw      -       r
            carry.pairs        -      w       r       r
            venues.quality     -      w       r       r
            ingest.progress    rw     -       -       -
            dead-letters       -      w       -       -
            venues.assignment  r      -       -       -
            """;

    /** A store's changelog, as streams names them: all but altering is its own. */
    private static final String CHANGELOG = "observatory-streams-any-store-changelog";

    private static final List<String> ROLES = List.of("ingest", "streams", "gateway", "team");
    private static final String PASSWORD = "of-";

    @TempDir
    private static Path dir;

    private static SecuredKafka kafka;

    @BeforeAll
    static void start() throws Exception {
        kafka = SecuredKafka.start(dir, "of-admin");
        Path config = dir.resolve("admin.properties");
        var admin = new Properties();
        admin.putAll(kafka.clientOf(SecuredKafka.ADMIN, "of-admin"));
        try (var out = Files.newBufferedWriter(config)) {
            admin.store(out, null);
        }
        Path passwords = dir.resolve("passwords.properties");
        Files.write(
                passwords,
                ROLES.stream().map(role -> role + "=" + PASSWORD + role).toList());
        String[] brokers = {"--bootstrap-server", kafka.bootstrapServers(), "--command-config", config.toString()};
        assertEquals(0, observatory(brokers, "topics", "--create"));
        assertEquals(0, observatory(brokers, "access", "--apply", "--passwords", passwords.toString()));
        // Again: nothing is missing and nothing is in the way.
        var said = new ByteArrayOutputStream();
        PrintStream out = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertEquals(0, observatory(brokers, "access", "--apply"));
        } finally {
            System.setOut(out);
        }
        assertEquals("ACLs created: 0", said.toString(StandardCharsets.UTF_8).strip());
        try (var producer = producer("admin");
                var client = admin("admin")) {
            client.createTopics(List.of(new NewTopic(CHANGELOG, 1, (short) 1)))
                    .all()
                    .get();
            List<Future<RecordMetadata>> sent = topics().stream()
                    .map(topic -> producer.send(new ProducerRecord<>(topic, 0, "key", "value")))
                    .toList();
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    private static int observatory(String[] brokers, String... command) {
        return Observatory.execute(
                Stream.concat(Arrays.stream(command), Arrays.stream(brokers)).toArray(String[]::new));
    }

    private static List<String> topics() {
        return Stream.concat(wanted().keySet().stream(), Stream.of(CHANGELOG)).toList();
    }

    /** What each role is to be allowed, by topic. */
    private static Map<String, Map<String, String>> wanted() {
        List<String> lines = WANTED.lines().toList();
        Map<String, Map<String, String>> wanted = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(" +");
            Map<String, String> byRole = new HashMap<>();
            for (int i = 0; i < ROLES.size(); i++) {
                byRole.put(ROLES.get(i), cells[i + 1]);
            }
            wanted.put(cells[0], byRole);
        }
        return wanted;
    }

    private static Map<String, Object> client(String user) {
        try {
            var config = new HashMap<String, Object>(kafka.clientOf(user, PASSWORD + user));
            config.put("bootstrap.servers", kafka.bootstrapServers());
            config.put("request.timeout.ms", 20_000);
            config.put("default.api.timeout.ms", 20_000);
            return config;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Admin admin(String user) {
        return Admin.create(client(user));
    }

    /** Not idempotent: a producer that asks for an id and may write nowhere is refused that as well, and then fails whatever follows. */
    private static KafkaProducer<String, String> producer(String user) {
        var config = client(user);
        config.put("enable.idempotence", false);
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    private static KafkaConsumer<String, String> consumer(String user) {
        var config = client(user);
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", false);
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    /** "allowed" or "denied"; anything else that goes wrong is what it is. */
    private static String verdict(Future<?> asked) throws InterruptedException {
        try {
            asked.get();
            return "allowed";
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                return "denied";
            }
            return e.getCause() instanceof TopicExistsException
                    ? "allowed"
                    : e.getCause().toString();
        }
    }

    @Test
    void theTableNamesEveryTopic() {
        assertEquals(
                Stream.concat(
                                Topics.typed().stream().map(Topic::name),
                                Topics.plain().stream().map(Topics.PlainTopic::name))
                        .sorted()
                        .toList(),
                wanted().keySet().stream().sorted().toList());
    }

    @Test
    void readsWhatItNeedsAndNothingElse() {
        Map<String, String> found = new TreeMap<>();
        Map<String, String> expected = new TreeMap<>();
        for (String role : ROLES) {
            try (var consumer = consumer(role)) {
                for (String topic : topics()) {
                    String pair = role + " reads " + topic;
                    expected.put(pair, may(role, topic, "r"));
                    found.put(pair, read(consumer, topic));
                }
            }
        }
        assertEquals(expected, found);
    }

    private static String may(String role, String topic, String what) {
        boolean own = topic.equals(CHANGELOG) && role.equals("streams");
        return own
                        || wanted().getOrDefault(topic, Map.of())
                                .getOrDefault(role, "-")
                                .contains(what)
                ? "allowed"
                : "denied";
    }

    private static String read(KafkaConsumer<String, String> consumer, String topic) {
        consumer.assign(List.of(new TopicPartition(topic, 0)));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        try {
            while (System.nanoTime() < deadline) {
                if (!consumer.poll(Duration.ofMillis(200)).isEmpty()) {
                    return "allowed";
                }
            }
            return "nothing";
        } catch (AuthorizationException e) {
            return "denied";
        }
    }

    @Test
    void writesWhatItNeedsAndNothingElse() throws Exception {
        Map<String, String> found = new TreeMap<>();
        Map<String, String> expected = new TreeMap<>();
        for (String role : ROLES) {
            try (var producer = producer(role)) {
                for (String topic : topics()) {
                    String pair = role + " writes " + topic;
                    expected.put(pair, may(role, topic, "w"));
                    found.put(pair, verdict(producer.send(new ProducerRecord<>(topic, 0, "key", role))));
                }
            }
        }
        assertEquals(expected, found);
    }

    @Test
    void nobodyCreatesDeletesOrAltersATopicOfTheCatalogue() throws Exception {
        Map<String, String> found = new TreeMap<>();
        Map<String, String> expected = new TreeMap<>();
        for (String role : ROLES) {
            try (var admin = admin(role)) {
                var creations = admin.createTopics(
                                topics().stream()
                                        .map(topic -> new NewTopic(topic, 1, (short) 1))
                                        .toList(),
                                new CreateTopicsOptions().validateOnly(true))
                        .values();
                var alterations = new HashMap<ConfigResource, Collection<AlterConfigOp>>();
                for (String topic : topics()) {
                    alterations.put(
                            new ConfigResource(ConfigResource.Type.TOPIC, topic),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("retention.ms", "1000"), AlterConfigOp.OpType.SET)));
                }
                var altered = admin.incrementalAlterConfigs(alterations, new AlterConfigsOptions().validateOnly(true))
                        .values();
                // Who is allowed to would delete it: the changelog is tried apart.
                var deletions = admin.deleteTopics(wanted().keySet()).topicNameValues();
                for (String topic : topics()) {
                    boolean own = topic.equals(CHANGELOG) && role.equals("streams");
                    put(expected, found, role, "creates", topic, own, creations.get(topic));
                    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
                    put(expected, found, role, "alters", topic, false, altered.get(resource));
                    if (!topic.equals(CHANGELOG)) {
                        put(expected, found, role, "deletes", topic, false, deletions.get(topic));
                    }
                }
            }
        }
        assertEquals(expected, found);
    }

    private static void put(
            Map<String, String> expected,
            Map<String, String> found,
            String role,
            String operation,
            String on,
            boolean allowed,
            Future<?> asked)
            throws InterruptedException {
        String pair = role + " " + operation + " " + on;
        expected.put(pair, allowed ? "allowed" : "denied");
        found.put(pair, verdict(asked));
    }

    @Test
    void streamsMakesAndDeletesItsOwnTopicsAndNobodyElseDoes() throws Exception {
        String own = "observatory-streams-other-store-changelog";
        Map<String, String> found = new TreeMap<>();
        Map<String, String> expected = new TreeMap<>();
        for (String role : List.of("ingest", "gateway", "team", "streams")) {
            try (var admin = admin(role)) {
                boolean may = role.equals("streams");
                if (may) {
                    put(
                            expected,
                            found,
                            role,
                            "creates",
                            own,
                            true,
                            admin.createTopics(List.of(new NewTopic(own, 1, (short) 1)))
                                    .all());
                }
                put(
                        expected,
                        found,
                        role,
                        "deletes",
                        may ? own : CHANGELOG,
                        may,
                        admin.deleteTopics(List.of(may ? own : CHANGELOG)).all());
            }
        }
        assertEquals(expected, found);
    }

    @Test
    void groupsTransactionsAndTheClusterBelongToTheirOwners() throws Exception {
        Map<String, String> owners =
                Map.of("observatory-ingest", "ingest", "observatory-streams", "streams", "team-pricing", "team");
        Map<String, String> found = new TreeMap<>();
        Map<String, String> expected = new TreeMap<>();
        for (String role : ROLES) {
            try (var admin = admin(role)) {
                // A topic that each owner may read: committing an offset needs both.
                String topic = role.equals("ingest") ? "venues.assignment" : "settlements";
                for (var group : owners.entrySet()) {
                    put(
                            expected,
                            found,
                            role,
                            "commits in",
                            group.getKey(),
                            group.getValue().equals(role),
                            admin.alterConsumerGroupOffsets(
                                            group.getKey(),
                                            Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0)))
                                    .all());
                }
                put(
                        expected,
                        found,
                        role,
                        "sees offsets of",
                        "observatory-streams",
                        List.of("streams", "gateway").contains(role),
                        admin.listConsumerGroupOffsets("observatory-streams").partitionsToOffsetAndMetadata());
                put(
                        expected,
                        found,
                        role,
                        "sees",
                        "ACLs",
                        false,
                        admin.describeAcls(AclBindingFilter.ANY).values());
                put(
                        expected,
                        found,
                        role,
                        "alters",
                        "the broker",
                        false,
                        admin.incrementalAlterConfigs(
                                        Map.of(
                                                new ConfigResource(ConfigResource.Type.BROKER, "1"),
                                                List.of(new AlterConfigOp(
                                                        new ConfigEntry("log.cleaner.threads", "2"),
                                                        AlterConfigOp.OpType.SET))),
                                        new AlterConfigsOptions().validateOnly(true))
                                .all());
            }
            expected.put(role + " begins transactions of streams", role.equals("streams") ? "allowed" : "denied");
            found.put(role + " begins transactions of streams", transaction(role));
        }
        assertEquals(expected, found);
    }

    private static String transaction(String role) {
        var config = client(role);
        config.put("transactional.id", "observatory-streams-" + role);
        config.put("max.block.ms", 20_000);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            return "allowed";
        } catch (AuthorizationException e) {
            return "denied";
        }
    }

    @Test
    void aWrongPasswordIsNobody() throws Exception {
        var config = client("team");
        config.putAll(kafka.clientOf("team", "guessed"));
        try (var admin = Admin.create(config)) {
            var refused = assertThrows(
                    ExecutionException.class, () -> admin.listTopics().names().get());
            assertTrue(refused.getCause() instanceof SaslAuthenticationException, refused.toString());
        }
    }

    @Test
    void aCertificateIsChangedAndNothingIsLost() throws Exception {
        String topic = Topics.QUOTES_RAW.name();
        String before = certificate();
        var sent = new ArrayList<Future<RecordMetadata>>();
        try (var writing = producer("ingest");
                var reading = consumer("streams")) {
            var partition = new TopicPartition(topic, 3);
            reading.assign(Set.of(partition));
            var read = new ArrayList<String>();
            for (int i = 0; i < 300; i++) {
                if (i == 100) {
                    kafka.changeCertificate();
                    awaitAnother(before);
                }
                sent.add(writing.send(new ProducerRecord<>(topic, 3, "during", "" + i)));
                reading.poll(Duration.ZERO).forEach(record -> read.add(record.value()));
                if (i == 200) {
                    // One that connects afterwards trusts the same authority.
                    try (var later = producer("ingest")) {
                        later.send(new ProducerRecord<>(topic, 4, "after", "change"))
                                .get();
                    }
                }
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (read.size() < 300 && System.nanoTime() < deadline) {
                reading.poll(Duration.ofMillis(100)).forEach(record -> read.add(record.value()));
            }
            assertEquals(IntStream.range(0, 300).mapToObj(Integer::toString).toList(), read);
        }
    }

    /** A broker follows the controller's word some milliseconds later, one network thread after another. */
    private static void awaitAnother(String certificate) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        String shown = certificate();
        while (shown.equals(certificate) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            shown = certificate();
        }
        assertNotEquals(certificate, shown, "new connections see the new certificate");
    }

    /** The serial number that a new connection is shown. */
    private static String certificate() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, new SecureRandom());
        int port = Integer.parseInt(kafka.bootstrapServers().replaceAll(".*:", ""));
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSerialNumber()
                    .toString();
        }
    }

    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
