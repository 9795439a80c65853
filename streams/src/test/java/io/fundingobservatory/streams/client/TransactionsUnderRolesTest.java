package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fundingobservatory.testbed.SecuredKafka;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.access.AccessControl;
import io.fundingobservatory.topics.access.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * The role of streams may not abort what brokers have forgotten, on a broker with an authorizer, TLS and passwords: it says which
 * partition stands still and what it was refused, and an operator who is told so ends it.
 */
class TransactionsUnderRolesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(6);
    private static final Duration OVERDUE = Duration.ofSeconds(17);
    private static final String PASSWORD = "a password";
    private static final String STREAMS = "User:streams";

    /** It may read this one and only write the other. */
    private static final TopicPartition LEDGER = new TopicPartition(Topics.SETTLEMENTS.name(), 0);

    private static final TopicPartition RATES = new TopicPartition(Topics.RATES_NORMALISED.name(), 0);

    @TempDir
    private static Path directory;

    private static SecuredKafka kafka;
    private static Admin admin;
    private final AtomicLong now = new AtomicLong();

    @BeforeAll
    static void start() throws Exception {
        kafka = SecuredKafka.start(directory, PASSWORD);
        admin = Admin.create(client(SecuredKafka.ADMIN));
        admin.createTopics(Stream.of(LEDGER, RATES)
                        .map(partition -> new NewTopic(partition.topic(), 2, (short) 1))
                        .toList())
                .all()
                .get();
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                        "streams", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4_096), PASSWORD)))
                .all()
                .get();
        AccessControl.ensure(admin, Map.of(STREAMS, Role.STREAMS));
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, ""),
                        List.of(new AlterConfigOp(
                                new ConfigEntry("transaction.partition.verification.enable", "false"),
                                AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    @AfterAll
    static void stop() {
        admin.close();
        kafka.close();
    }

    private static Map<String, Object> client(String user) throws Exception {
        var config = new HashMap<String, Object>(kafka.clientOf(user, PASSWORD));
        config.put("bootstrap.servers", kafka.bootstrapServers());
        return config;
    }

    @Test
    void whatTheRoleMayNotAbortIsSaidWithTheReasonUntilAnOperatorDoes() throws Exception {
        leaveOpen(LEDGER, RATES);
        Logger logger = (Logger) LoggerFactory.getLogger(HangingTransactions.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        logger.addAppender(lines);
        try (Admin streams = Admin.create(client("streams"))) {
            var watch = new HangingTransactions(
                    streams, List.of(LEDGER.topic(), RATES.topic()), Topics.STREAMS_GROUP, TIMEOUT, now::get);
            watch.look();
            now.addAndGet(OVERDUE.toNanos());
            watch.look();
            watch.look();
            assertEquals(List.of(RATES + "", LEDGER + ""), watch.heldUp());
            List<String> said = said(lines);
            assertEquals(2, said.size(), "each once: " + said);
            assertTrue(said.getFirst().contains("topic=rates.normalised partition=0 "), said::toString);
            assertTrue(said.getFirst().contains("TopicAuthorizationException"), said::toString);
            assertTrue(said.getLast().contains("topic=settlements partition=0 "), said::toString);
            assertTrue(said.getLast().contains("ClusterAuthorizationException"), said::toString);

            abort(RATES);
            while (watch.heldUp().contains(RATES + "")) {
                watch.look();
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            assertEquals(List.of(LEDGER + ""), watch.heldUp());

            // an operator may give it the right as well
            admin.createAcls(List.of(new AclBinding(
                            new ResourcePattern(ResourceType.CLUSTER, Resource.CLUSTER_NAME, PatternType.LITERAL),
                            new AccessControlEntry(STREAMS, "*", AclOperation.ALTER, AclPermissionType.ALLOW))))
                    .all()
                    .get();
            while (!watch.heldUp().isEmpty()) {
                watch.look();
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            assertTrue(
                    said(lines).getLast().startsWith("a transaction was left open by the brokers and is aborted"),
                    () -> said(lines).toString());
        } finally {
            logger.detachAppender(lines);
        }
    }

    private static List<String> said(ListAppender<ILoggingEvent> lines) {
        return lines.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .sorted()
                .toList();
    }

    private static void leaveOpen(TopicPartition... partitions) throws Exception {
        String transactionalId = Topics.STREAMS_GROUP + "-1";
        var config = client("streams");
        config.put("transactional.id", transactionalId);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            // its coordinator is past epoch 0 then, and those partitions have seen no other
            producer.send(new ProducerRecord<>(LEDGER.topic(), 1, "k", "v"));
            producer.commitTransaction();
        }
        long id = producer(new TopicPartition(LEDGER.topic(), 1)).producerId();
        try (var late = new LateProducer(client("streams"), transactionalId, id)) {
            for (TopicPartition partition : partitions) {
                late.write(partition);
            }
        }
    }

    private static ProducerState producer(TopicPartition partition) throws Exception {
        return admin.describeProducers(List.of(partition))
                .partitionResult(partition)
                .get()
                .activeProducers()
                .getFirst();
    }

    private static void abort(TopicPartition partition) throws Exception {
        ProducerState open = producer(partition);
        admin.abortTransaction(new AbortTransactionSpec(
                        partition,
                        open.producerId(),
                        (short) open.producerEpoch(),
                        open.coordinatorEpoch().orElse(0)))
                .all()
                .get();
    }
}
