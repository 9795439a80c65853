package io.fundingobservatory.streams;

import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** Who stamps the records of the input topics: the brokers, as the catalogue wants it, or a test that tells the time itself. */
final class BrokerStamps {
    private static final String TYPE = "message.timestamp.type";

    private BrokerStamps() {}

    /**
     * From now on a test's own stamps count, whatever they are; a service looks at the topics only when it starts. Events of
     * contracts then have the stamps of the records that they follow from.
     */
    static void byTheTest(KafkaFixture kafka) {
        set(kafka, "CreateTime", List.of(Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW, Topics.CONTRACT_EVENTS));
    }

    static void byTheBroker(KafkaFixture kafka) {
        set(kafka, "LogAppendTime", List.of(Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW, Topics.CONTRACT_EVENTS));
    }

    private static void set(KafkaFixture kafka, String type, List<Topic<?>> stamped) {
        var changes =
                List.of(change(TYPE, type), change("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE)));
        var topics = new HashMap<ConfigResource, Collection<AlterConfigOp>>();
        for (Topic<?> topic : stamped) {
            topics.put(new ConfigResource(ConfigResource.Type.TOPIC, topic.name()), changes);
        }
        try {
            kafka.admin().incrementalAlterConfigs(topics).all().get();
            Await.until(
                    "the brokers know of it",
                    () -> kafka.admin().describeConfigs(topics.keySet()).all().get().values().stream()
                            .allMatch(config -> type.equals(config.get(TYPE).value())));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static AlterConfigOp change(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }
}
