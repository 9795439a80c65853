package io.fundingobservatory.standalone.roles;

import static io.fundingobservatory.standalone.roles.SecuredInstallation.ROLES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rights of each role on topics, groups, transactions and the cluster, tried one by one on a broker with TLS, SCRAM and an authorizer.
 * A client without a password may do nothing, and a certificate can change.
 */
class RolesTest {
    private static final String ALLOWED = "allowed";
    private static final String DENIED = "denied";

    /** By role: r may read, w may write. What is not here is denied, and so are creating, deleting and altering for everybody. */
    private static final String WANTED = """
            topic                  ingest streams gateway team
            quotes.raw             w      r       -       -
            settlements.raw        w      r       -       -
            venues.status          rw     -       r       r
            rates.normalised       -      w       -       r
            rates.latest           -      w       r       r
            contract.events        -      rw      -       -
            settlements            -      w       -       r
            carry.pairs            -      w       r       r
            venues.quality         -      w       r       r
            ingest.progress        rw     -       -       -
            dead-letters           -      w       -       -
            venues.assignment      r      -       -       -
            """;

    /** A store's changelog, as streams names them: all but altering is its own. */
    private static final String CHANGELOG = "observatory-pairs-any-store-changelog";

    private static SecuredInstallation kafka;

    /** What each role may do and what it could do, one line for each operation that was tried. */
    private final Map<String, String> expected = new TreeMap<>();

    private final Map<String, String> found = new TreeMap<>();

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        kafka = SecuredInstallation.start(folder);
        try (var producer = kafka.producer("admin");
                var client = kafka.admin("admin")) {
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

    @AfterEach
    void verdictsAreAsExpected() {
        assertEquals(expected, found);
    }

    /** An operation was requested; waits for its response. */
    private void tried(String tried, boolean allowed, Future<?> requests) throws InterruptedException {
        tried(tried, allowed, of(requests));
    }

    private synchronized void tried(String tried, boolean allowed, String verdict) {
        expected.put(tried, allowed ? ALLOWED : DENIED);
        found.put(tried, verdict);
    }

    /** "allowed" or "denied"; anything else that goes wrong is what it is. */
    private static String of(Future<?> requests) throws InterruptedException {
        try {
            requests.get();
            return ALLOWED;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                return DENIED;
            }
            return e.getCause() instanceof TopicExistsException
                    ? ALLOWED
                    : e.getCause().toString();
        }
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
    void readsWhatItNeedsAndNothingElse() throws Exception {
        try (var readers = Executors.newFixedThreadPool(ROLES.size())) {
            List<Future<?>> reading = new ArrayList<>();
            ROLES.forEach(role -> reading.add(readers.submit(() -> readsOf(role))));
            for (Future<?> one : reading) {
                one.get();
            }
        }
    }

    private void readsOf(String role) {
        try (var consumer = kafka.consumer(role)) {
            for (String topic : topics()) {
                tried(role + " reads " + topic, may(role, topic, "r"), read(consumer, topic));
            }
        }
    }

    private static boolean may(String role, String topic, String what) {
        boolean own = topic.equals(CHANGELOG) && role.equals("streams");
        return own
                || wanted().getOrDefault(topic, Map.of())
                        .getOrDefault(role, "-")
                        .contains(what);
    }

    private static String read(KafkaConsumer<String, String> consumer, String topic) {
        consumer.assign(List.of(new TopicPartition(topic, 0)));
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        try {
            while (System.nanoTime() < deadline) {
                if (!consumer.poll(Duration.ofMillis(200)).isEmpty()) {
                    return ALLOWED;
                }
            }
            return "nothing";
        } catch (AuthorizationException e) {
            return DENIED;
        }
    }

    @Test
    void writesWhatItNeedsAndNothingElse() throws Exception {
        for (String role : ROLES) {
            try (var producer = kafka.producer(role)) {
                for (String topic : topics()) {
                    tried(
                            role + " writes " + topic,
                            may(role, topic, "w"),
                            producer.send(new ProducerRecord<>(topic, 0, "key", role)));
                }
            }
        }
    }

    @Test
    void noRoleCreatesDeletesOrAltersCatalogueTopic() throws Exception {
        for (String role : ROLES) {
            try (var admin = kafka.admin(role)) {
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
                    tried(role + " creates " + topic, own, creations.get(topic));
                    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
                    tried(role + " alters " + topic, false, altered.get(resource));
                    if (!topic.equals(CHANGELOG)) {
                        tried(role + " deletes " + topic, false, deletions.get(topic));
                    }
                }
            }
        }
    }

    @Test
    void onlyStreamsCreatesAndDeletesItsOwnTopics() throws Exception {
        String own = "observatory-streams-other-store-changelog";
        for (String role : List.of("ingest", "gateway", "team", "streams")) {
            try (var admin = kafka.admin(role)) {
                boolean may = role.equals("streams");
                if (may) {
                    tried(
                            role + " creates " + own,
                            true,
                            admin.createTopics(List.of(new NewTopic(own, 1, (short) 1)))
                                    .all());
                }
                tried(
                        role + " deletes " + (may ? own : CHANGELOG),
                        may,
                        admin.deleteTopics(List.of(may ? own : CHANGELOG)).all());
            }
        }
    }

    @Test
    void secondApplyChangesNothing() {
        assertEquals("ACLs created: 0", kafka.observatory("access", "--apply").strip());
    }

    @Test
    void groupsAndTransactionsBelongToTheirOwners() throws Exception {
        Map<String, String> owners = Map.of(
                "observatory-ingest",
                "ingest",
                "observatory-streams",
                "streams",
                "observatory-pairs",
                "streams",
                "team-pricing",
                "team");
        for (String role : ROLES) {
            try (var admin = kafka.admin(role)) {
                // A topic that each owner may read: committing an offset needs both.
                String topic = switch (role) {
                    case "ingest" -> "venues.assignment";
                    case "streams" -> "contract.events";
                    default -> "settlements";
                };
                for (var group : owners.entrySet()) {
                    tried(
                            role + " commits in " + group.getKey(),
                            group.getValue().equals(role),
                            admin.alterConsumerGroupOffsets(
                                            group.getKey(),
                                            Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0)))
                                    .all());
                }
                tried(
                        role + " sees offsets of observatory-streams",
                        List.of("streams", "gateway").contains(role),
                        admin.listConsumerGroupOffsets("observatory-streams").partitionsToOffsetAndMetadata());
                tried(
                        role + " sees ACLs",
                        false,
                        admin.describeAcls(AclBindingFilter.ANY).values());
                tried(
                        role + " alters the broker",
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
            for (String application : List.of("observatory-streams", "observatory-pairs")) {
                tried(
                        role + " begins transactions of " + application,
                        role.equals("streams"),
                        transaction(application, role));
            }
        }
    }

    private static String transaction(String application, String role) {
        var config = kafka.client(role);
        config.put("transactional.id", application + '-' + role);
        config.put("max.block.ms", 20_000);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            return ALLOWED;
        } catch (AuthorizationException e) {
            return DENIED;
        }
    }

    @Test
    void rejectsWrongPassword() throws Exception {
        try (var admin = Admin.create(kafka.client("team", "guessed"))) {
            var refused = assertThrows(
                    ExecutionException.class, () -> admin.listTopics().names().get());
            assertTrue(refused.getCause() instanceof SaslAuthenticationException, refused.toString());
        }
    }

    @Test
    void aCertificateIsChangedAndNothingIsLost() throws Exception {
        String topic = Topics.QUOTES_RAW.name();
        String before = ShownCertificate.serial(kafka.bootstrapServers());
        var sent = new ArrayList<Future<RecordMetadata>>();
        try (var writing = kafka.producer("ingest");
                var reading = kafka.consumer("streams")) {
            var partition = new TopicPartition(topic, 3);
            reading.assign(Set.of(partition));
            var read = new ArrayList<String>();
            for (int i = 0; i < 300; i++) {
                if (i == 100) {
                    kafka.changeCertificate();
                    ShownCertificate.awaitAnother(before, kafka.bootstrapServers());
                }
                sent.add(writing.send(new ProducerRecord<>(topic, 3, "during", Integer.toString(i))));
                reading.poll(Duration.ZERO).forEach(record -> read.add(record.value()));
                if (i == 200) {
                    // One that connects afterwards trusts the same authority.
                    try (var later = kafka.producer("ingest")) {
                        later.send(new ProducerRecord<>(topic, 4, "after", "change"))
                                .get();
                    }
                }
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
            Await.until("all records", () -> {
                reading.poll(Duration.ZERO).forEach(record -> read.add(record.value()));
                return read.size() >= 300;
            });
            assertEquals(IntStream.range(0, 300).mapToObj(Integer::toString).toList(), read);
        }
    }
}
