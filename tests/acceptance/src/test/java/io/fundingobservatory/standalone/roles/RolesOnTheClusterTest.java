package io.fundingobservatory.standalone.roles;

import static io.fundingobservatory.standalone.roles.SecuredInstallation.ROLES;
import static io.fundingobservatory.standalone.roles.Verdicts.ALLOWED;
import static io.fundingobservatory.standalone.roles.Verdicts.DENIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Rights of each role on groups, transactions and the cluster, tried one by one on a broker with TLS, SCRAM
 * and an authorizer. A client without a password may do nothing, and a certificate can change.
 */
class RolesOnTheClusterTest {
    @RegisterExtension
    private static final SecuredInstallation.Shared SHARED = new SecuredInstallation.Shared();

    private static SecuredInstallation kafka;

    @BeforeAll
    static void start() {
        kafka = SHARED.kafka();
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
        var verdicts = new Verdicts();
        for (String role : ROLES) {
            try (var admin = kafka.admin(role)) {
                // A topic that each owner may read: committing an offset needs both.
                String topic = switch (role) {
                    case "ingest" -> "venues.assignment";
                    case "streams" -> "contract.events";
                    default -> "settlements";
                };
                for (var group : owners.entrySet()) {
                    verdicts.tried(
                            role + " commits in " + group.getKey(),
                            group.getValue().equals(role),
                            admin.alterConsumerGroupOffsets(
                                            group.getKey(),
                                            Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0)))
                                    .all());
                }
                verdicts.tried(
                        role + " sees offsets of observatory-streams",
                        List.of("streams", "gateway").contains(role),
                        admin.listConsumerGroupOffsets("observatory-streams").partitionsToOffsetAndMetadata());
                verdicts.tried(
                        role + " sees ACLs",
                        false,
                        admin.describeAcls(AclBindingFilter.ANY).values());
                verdicts.tried(
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
                verdicts.tried(
                        role + " begins transactions of " + application,
                        role.equals("streams"),
                        transaction(application, role));
            }
        }
        verdicts.areAsExpected();
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
