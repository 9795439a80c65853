package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.lifecycle.Brokers;
import io.fundingobservatory.streams.lifecycle.StartFailure;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Topics that differ from the catalogue. */
@ExtendWith(SharedBroker.class)
class DifferingTopicsTest {
    private KafkaFixture kafka;
    private Brokers brokers;

    @BeforeEach
    void start(KafkaFixture shared) {
        kafka = shared;
        brokers = new Brokers(KafkaAccess.at(kafka.bootstrapServers()));
    }

    @AfterEach
    void stop() {
        brokers.close();
    }

    private void set(String topic, String key, String value) throws ExecutionException, InterruptedException {
        kafka.admin()
                .incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    /** A change reaches the brokers a moment after it was made. */
    private String refusal(String topic) {
        var last = new AtomicReference<>("none");
        Await.until("a refusal of " + topic, () -> {
            try {
                brokers.prepare();
            } catch (StartFailure e) {
                last.set(String.valueOf(e.getMessage()));
            }
            return last.get().startsWith("topic " + topic);
        });
        return last.get();
    }

    /** Readers' clocks in place of the brokers' would falsify order and windows; a partition more splits a contract's records. */
    @Test
    void differingTopicsEndStartWithOneLine() throws Exception {
        assertDoesNotThrow(brokers::prepare, "as the catalogue says");

        set(Topics.QUOTES_RAW.name(), "message.timestamp.type", "CreateTime");
        assertEquals(
                "topic quotes.raw at " + kafka.bootstrapServers()
                        + " has message.timestamp.type=CreateTime instead of LogAppendTime; results would be wrong:"
                        + " create it again as `observatory topics` prints it",
                refusal(Topics.QUOTES_RAW.name()));

        set(Topics.QUOTES_RAW.name(), "message.timestamp.type", "LogAppendTime");
        kafka.admin()
                .createPartitions(Map.of(Topics.SETTLEMENTS_RAW.name(), NewPartitions.increaseTo(7)))
                .all()
                .get();
        assertEquals(
                "topic settlements.raw at " + kafka.bootstrapServers()
                        + " has 7 partitions instead of 6; results would be wrong:"
                        + " create it again as `observatory topics` prints it",
                refusal(Topics.SETTLEMENTS_RAW.name()));
    }
}
