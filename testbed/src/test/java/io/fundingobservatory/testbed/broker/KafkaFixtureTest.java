package io.fundingobservatory.testbed.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.Topics;
import org.junit.jupiter.api.Test;

class KafkaFixtureTest {
    @Test
    void hasTheCatalogue() throws Exception {
        try (var kafka = KafkaFixture.start()) {
            var names = kafka.admin().listTopics().names().get();
            Topics.typed().forEach(topic -> assertTrue(names.contains(topic.name()), topic.name()));
            String forced = System.getProperty(KafkaFixture.CHOICE, System.getenv(KafkaFixture.CHOICE));
            if (forced != null) {
                assertEquals(forced, kafka.kind());
            }
        }
    }
}
