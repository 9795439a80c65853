package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.streams.core.Application;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

/** A changelog that is missing at a start. */
class LedgerRebuildTest {
    private static final Application LEDGERS = new Application("ledgers", List.of("ledger"), List.of("ledger"));

    /** Kafka Streams would create it again, empty, when this instance joined. */
    @Test
    void isRefusedBesideRunningInstance() throws Exception {
        try (var kafka = KafkaFixture.start()) {
            var rebuild = new LedgerRebuild(kafka.admin(), LEDGERS, "this", Duration.ofMillis(200));
            var input = new TopicPartition(Topics.QUOTES_RAW.name(), 0);
            try (var running = new KafkaConsumer<>(
                    KafkaAccess.at(kafka.bootstrapServers()).client(Map.of("group.id", LEDGERS.id())),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer())) {
                running.subscribe(List.of(input.topic()));
                while (running.assignment().isEmpty()) {
                    running.poll(Duration.ofMillis(100));
                }
                running.commitSync(Map.of(input, new OffsetAndMetadata(0)));
                var refused = assertThrows(StartFailure.class, () -> rebuild.prepare(() -> false));
                assertEquals(
                        "changelogs [ledgers-ledger-changelog] of ledgers are missing or truncated while other instances run;"
                                + " stop all of them, then start",
                        refused.reason());
            }
            assertTrue(rebuild.prepare(() -> false), "it has left its group");
        }
    }

    /** A static member stays until its session ends, 45 s here: it was this process under its own id. */
    @Test
    void ownFormerMembersDoNotHoldItUp() throws Exception {
        try (var kafka = KafkaFixture.start()) {
            var input = new TopicPartition(Topics.QUOTES_RAW.name(), 0);
            TopicCreation.ensure(kafka.admin(), (short) 1);
            join(kafka, "this-1", input);
            assertTrue(new LedgerRebuild(kafka.admin(), LEDGERS, "this", Duration.ZERO).prepare(() -> false));

            join(kafka, "this-one-1", input);
            var other = new LedgerRebuild(kafka.admin(), LEDGERS, "this", Duration.ZERO);
            assertThrows(StartFailure.class, () -> other.prepare(() -> false), "another instance's member");
        }
    }

    /** Joins as a static member, commits, and closes without leaving. */
    private static void join(KafkaFixture kafka, String instanceId, TopicPartition input) {
        try (var member = new KafkaConsumer<>(
                KafkaAccess.at(kafka.bootstrapServers())
                        .client(Map.of("group.id", LEDGERS.id(), "group.instance.id", instanceId)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            member.subscribe(List.of(input.topic()));
            while (member.assignment().isEmpty()) {
                member.poll(Duration.ofMillis(100));
            }
            member.commitSync(Map.of(input, new OffsetAndMetadata(0)));
        }
    }
}
