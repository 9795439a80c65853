package io.fundingobservatory.streams.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedBroker.class)
class LostStateTest {
    private static final Application APPLICATION = new Application("app", List.of("a", "b"), List.of("a"), "all");
    private static final String REQUIRED = "app-a-changelog";

    @Test
    void offsetsWithoutChangelogAreLostState(KafkaFixture kafka) throws Exception {
        assertEquals(List.of(), LostState.of(kafka.admin(), APPLICATION), "a first start");
        kafka.admin()
                .alterConsumerGroupOffsets(
                        APPLICATION.id(),
                        Map.of(new TopicPartition(Topics.QUOTES_RAW.name(), 0), new OffsetAndMetadata(1)))
                .all()
                .get();
        assertEquals(List.of(REQUIRED), LostState.of(kafka.admin(), APPLICATION));
        assertFalse(kafka.admin().listTopics().names().get().contains(REQUIRED), "none is created");
        kafka.admin()
                .createTopics(List.of(new NewTopic(REQUIRED, 1, (short) 1)))
                .all()
                .get();
        assertEquals(List.of(), LostState.of(kafka.admin(), APPLICATION));
    }
}
