package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.streams.core.Application;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
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
            try (var running = joined(kafka, Map.of(), input)) {
                var refused = assertThrows(StartFailure.class, () -> rebuild.prepare(() -> false));
                assertEquals(
                        "changelogs [ledgers-ledger-changelog] of ledgers are missing or truncated while other instances run;"
                                + " stop all of them, then start",
                        refused.reason());
                assertFalse(running.assignment().isEmpty(), "it has been left alone");
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
            joined(kafka, Map.of("group.instance.id", "this-1"), input).close();
            assertTrue(new LedgerRebuild(kafka.admin(), LEDGERS, "this", Duration.ZERO).prepare(() -> false));

            joined(kafka, Map.of("group.instance.id", "this-one-1"), input).close();
            var other = new LedgerRebuild(kafka.admin(), LEDGERS, "this", Duration.ZERO);
            assertThrows(StartFailure.class, () -> other.prepare(() -> false), "another instance's member");
        }
    }

    /** A member of the group that has committed. A static one does not leave when it is closed. */
    private static KafkaConsumer<byte[], byte[]> joined(
            KafkaFixture kafka, Map<String, Object> settings, TopicPartition input) {
        var config = new HashMap<>(settings);
        config.put("group.id", LEDGERS.id());
        var member = new KafkaConsumer<>(
                KafkaAccess.at(kafka.bootstrapServers()).client(config),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        member.subscribe(List.of(input.topic()));
        while (member.assignment().isEmpty()) {
            member.poll(Duration.ofMillis(100));
        }
        member.commitSync(Map.of(input, new OffsetAndMetadata(0)));
        return member;
    }
}
