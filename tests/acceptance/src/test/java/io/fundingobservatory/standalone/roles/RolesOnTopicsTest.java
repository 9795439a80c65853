package io.fundingobservatory.standalone.roles;

import static io.fundingobservatory.standalone.roles.SecuredInstallation.ROLES;
import static io.fundingobservatory.standalone.roles.Verdicts.ALLOWED;
import static io.fundingobservatory.standalone.roles.Verdicts.DENIED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rights of each role on each topic, tried one by one on a broker with TLS, SCRAM and an authorizer. */
class RolesOnTopicsTest {
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

    @RegisterExtension
    private static final SecuredInstallation.Shared SHARED = new SecuredInstallation.Shared();

    private static SecuredInstallation kafka;

    @BeforeAll
    static void start() throws Exception {
        kafka = SHARED.kafka();
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
        var verdicts = new Verdicts();
        try (var readers = Executors.newFixedThreadPool(ROLES.size())) {
            List<Future<?>> reading = new ArrayList<>();
            ROLES.forEach(role -> reading.add(readers.submit(() -> readsOf(role, verdicts))));
            for (Future<?> one : reading) {
                one.get();
            }
        }
        verdicts.areAsExpected();
    }

    private static void readsOf(String role, Verdicts verdicts) {
        try (var consumer = kafka.consumer(role)) {
            for (String topic : topics()) {
                verdicts.tried(role + " reads " + topic, may(role, topic, "r"), read(consumer, topic));
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
        var verdicts = new Verdicts();
        for (String role : ROLES) {
            try (var producer = kafka.producer(role)) {
                for (String topic : topics()) {
                    verdicts.tried(
                            role + " writes " + topic,
                            may(role, topic, "w"),
                            producer.send(new ProducerRecord<>(topic, 0, "key", role)));
                }
            }
        }
        verdicts.areAsExpected();
    }

    @Test
    void noRoleCreatesDeletesOrAltersCatalogueTopic() throws Exception {
        var verdicts = new Verdicts();
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
                    verdicts.tried(role + " creates " + topic, own, creations.get(topic));
                    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
                    verdicts.tried(role + " alters " + topic, false, altered.get(resource));
                    if (!topic.equals(CHANGELOG)) {
                        verdicts.tried(role + " deletes " + topic, false, deletions.get(topic));
                    }
                }
            }
        }
        verdicts.areAsExpected();
    }

    @Test
    void onlyStreamsCreatesAndDeletesItsOwnTopics() throws Exception {
        String own = "observatory-streams-other-store-changelog";
        var verdicts = new Verdicts();
        for (String role : List.of("ingest", "gateway", "team", "streams")) {
            try (var admin = kafka.admin(role)) {
                boolean may = role.equals("streams");
                if (may) {
                    verdicts.tried(
                            role + " creates " + own,
                            true,
                            admin.createTopics(List.of(new NewTopic(own, 1, (short) 1)))
                                    .all());
                }
                verdicts.tried(
                        role + " deletes " + (may ? own : CHANGELOG),
                        may,
                        admin.deleteTopics(List.of(may ? own : CHANGELOG)).all());
            }
        }
        verdicts.areAsExpected();
    }
}
