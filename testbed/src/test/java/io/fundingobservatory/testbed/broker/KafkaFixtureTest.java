package io.fundingobservatory.testbed.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.Topics;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void aMissingEngineIsNone(@TempDir Path dir) {
        assertNull(DockerEngine.find(Map.of("DOCKER_HOST", "unix://" + dir.resolve("docker.sock"))));
        assertNull(DockerEngine.find(Map.of("DOCKER_HOST", "tcp://127.0.0.1:1")));
    }
}
