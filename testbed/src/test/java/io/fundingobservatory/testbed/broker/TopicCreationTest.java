package io.fundingobservatory.testbed.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.AdminResponses;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicAudit;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalogue on brokers that already have topics, or that do not let everybody do everything. */
class TopicCreationTest {
    @TempDir
    Path dir;

    @Test
    void newVenueGetsItsPartition() throws Exception {
        try (var broker = EmbeddedKafka.start(dir, 0);
                var admin =
                        Admin.create(KafkaAccess.at(broker.bootstrapServers()).client(Map.of()))) {
            String assignment = Topics.VENUES_ASSIGNMENT.name();
            admin.createTopics(List.of(new NewTopic(assignment, 47, (short) 1)))
                    .all()
                    .get();
            awaitPartitions(admin, assignment, 47);
            TopicCreation.Outcome topics = TopicCreation.ensure(admin, KafkaAccess.BROKERS_DEFAULT);
            assertEquals(List.of(assignment), topics.grown());
            assertEquals(
                    Map.of(),
                    TopicAudit.of(admin, KafkaAccess.BROKERS_DEFAULT, topics).differing());
            awaitPartitions(admin, assignment, ListedVenue.ALL.size());
        }
    }

    @Test
    void logsTopicThatDiffersWithoutChangingIt() throws Exception {
        try (var broker = EmbeddedKafka.start(dir, 0);
                var admin =
                        Admin.create(KafkaAccess.at(broker.bootstrapServers()).client(Map.of()))) {
            admin.createTopics(List.of(
                            new NewTopic("settlements.raw", 3, (short) 1)
                                    .configs(Map.of("message.timestamp.type", "LogAppendTime")),
                            new NewTopic("quotes.raw", 6, (short) 1)
                                    .configs(Map.of("message.timestamp.type", "CreateTime", "retention.ms", "-1")),
                            new NewTopic("rates.latest", 6, (short) 1).configs(Map.of("cleanup.policy", "delete")),
                            new NewTopic("settlements", 6, (short) 1).configs(Map.of("retention.ms", "86400000"))))
                    .all()
                    .get();
            awaitPartitions(admin, "settlements", 6);
            TopicCreation.ensure(admin, (short) 1);
            TopicCreation.Outcome created = TopicCreation.ensure(admin, (short) 2);
            TopicAudit topics = TopicAudit.of(admin, (short) 2, created);
            assertEquals(
                    Set.of("settlements.raw", "quotes.raw", "rates.latest"),
                    topics.differing().keySet());
            assertEquals("3 partitions instead of 6", topics.differing().get("settlements.raw"));
            assertEquals(
                    "message.timestamp.type=CreateTime instead of LogAppendTime",
                    topics.differing().get("quotes.raw"));
            assertEquals(
                    "cleanup.policy=delete instead of compact",
                    topics.differing().get("rates.latest"));
            assertTrue(topics.keptShorter().containsKey("settlements"), topics.keptShorter()::toString);
            assertEquals(
                    "1 copies of each record, 2 are configured",
                    topics.fewerCopies().get("quotes.raw"));
        }
    }

    @Test
    void usesExistingTopicsAndLogsMissingOnes() throws Exception {
        try (var broker = EmbeddedKafka.startSecured(dir, Map.of("admin", "a", "team", "t"));
                var admin = Admin.create(access(broker, "admin", "a").client(Map.of()));
                var team = Admin.create(access(broker, "team", "t").client(Map.of()))) {
            admin.createTopics(
                            List.of(new NewTopic("rates.latest", 6, (short) 1).configs(Topics.RATES_LATEST.config())))
                    .all()
                    .get();
            admin.createAcls(List.of(new AclBinding(
                            new ResourcePattern(ResourceType.TOPIC, "rates.latest", PatternType.LITERAL),
                            new AccessControlEntry("User:team", "*", AclOperation.READ, AclPermissionType.ALLOW))))
                    .all()
                    .get();
            // A broker applies an ACL some milliseconds after it was accepted.
            Await.<Exception>until(
                    "rights",
                    () -> TopicCreation.ensure(team, KafkaAccess.BROKERS_DEFAULT)
                            .missing(List.of("rates.latest"))
                            .isEmpty());
            TopicCreation.Outcome topics = TopicCreation.ensure(team, KafkaAccess.BROKERS_DEFAULT);
            assertEquals(List.of(), topics.created());
            assertEquals(List.of(), topics.missing(List.of("rates.latest")));
            assertEquals(List.of("quotes.raw"), topics.missing(List.of("rates.latest", "quotes.raw")));
            assertEquals(Set.of("rates.latest"), admin.listTopics().names().get(), "nothing was created in its name");
        }
    }

    /** A broker has a topic in its responses only some time after the controller has created it. */
    private static void awaitPartitions(Admin admin, String topic, int partitions) throws Exception {
        Await.<Exception>until(
                partitions + " partitions of " + topic,
                () -> AdminResponses.describe(admin, List.of(topic)).values().stream()
                        .anyMatch(description -> description.partitions().size() == partitions));
    }

    private static KafkaAccess access(EmbeddedKafka broker, String user, String password) {
        return new KafkaAccess(
                broker.bootstrapServers(), KafkaAccess.BROKERS_DEFAULT, EmbeddedKafka.clientOf(user, password));
    }
}
