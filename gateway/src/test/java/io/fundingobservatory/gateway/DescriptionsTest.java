package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fundingobservatory.gateway.core.Described;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class DescriptionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aNumberWithoutItsUnitAWrongTypeAndAnUnknownFieldAreFound() throws IOException {
        JsonNode wrong =
                JSON.readTree("{\"plan\":\"free\",\"key_required\":false,\"meta\":{},\"rows\":[],\"other\":1}");
        AssertionError error = assertThrows(AssertionError.class, () -> Described.check("/api/v1/latest", 200, wrong));
        assertTrue(error.getMessage().contains("other") && error.getMessage().contains("release"), error.getMessage());
    }

    @Test
    void everyReferenceOfTheDescriptionLeadsSomewhere() {
        var broken = new ArrayList<String>();
        references(Described.openapi(), broken);
        assertEquals(List.of(), broken);
        var operations = new HashSet<String>();
        Described.openapi()
                .path("paths")
                .forEach(path -> operations.add(path.at("/get/operationId").asText()));
        assertEquals(Described.openapi().path("paths").size(), operations.size(), "each has its own name");
    }

    private static void references(JsonNode node, List<String> broken) {
        JsonNode reference = node.path("$ref");
        if (reference.isTextual()
                && Described.openapi().at(reference.asText().substring(1)).isMissingNode()) {
            broken.add(reference.asText());
        }
        node.forEach(child -> references(child, broken));
    }

    @Test
    void aRowIsDescribedAsItIsOnTheTopic() throws IOException {
        JsonNode onTopic = JSON.readTree(Topic.class.getResourceAsStream(Rate.CODEC.schemaResource()));
        JsonNode here = Described.openapi().at("/components/schemas/Rate");
        assertEquals(names(onTopic.path("properties")), names(here.path("properties")));
        assertEquals(onTopic.path("required"), here.path("required"));
        onTopic.path("properties").properties().forEach(field -> {
            JsonNode described = here.path("properties").path(field.getKey());
            assertEquals(field.getValue().path("type"), described.path("type"), field.getKey());
            assertEquals(field.getValue().path("enum"), described.path("enum"), field.getKey());
        });
    }

    private static Set<String> names(JsonNode properties) {
        var names = new HashSet<String>();
        properties.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void everyTopicIsDescribedWithItsSchema() throws IOException {
        JsonNode asyncapi = new ObjectMapper(new YAMLFactory())
                .readTree(DescriptionsTest.class.getResourceAsStream("/served/asyncapi.yaml"));
        assertEquals("3.0.0", asyncapi.path("asyncapi").asText());
        Set<String> described = StreamSupport.stream(asyncapi.path("channels").spliterator(), false)
                .map(channel -> channel.path("address").asText())
                .collect(Collectors.toSet());
        assertEquals(
                Stream.concat(Topics.typed().stream().map(Topic::name), Stream.of(Topics.DEAD_LETTERS.name()))
                        .collect(Collectors.toSet()),
                described);
        for (Topic<?> topic : Topics.typed()) {
            JsonNode channel = StreamSupport.stream(asyncapi.path("channels").spliterator(), false)
                    .filter(one -> one.path("address").asText().equals(topic.name()))
                    .findFirst()
                    .orElseThrow();
            String reference =
                    channel.path("messages").elements().next().path("$ref").asText();
            JsonNode message = asyncapi.at(reference.substring(1));
            assertEquals(
                    topic.codec().schemaResource(), message.at("/payload/$ref").asText(), topic.name());
            assertEquals(
                    topic.codec().schemaId(),
                    message.at("/headers/properties/schema/const").asText(),
                    topic.name());
            assertEquals(
                    topic.keyMeaning(),
                    message.at("/bindings/kafka/key/description").asText(),
                    topic.name());
            assertNotNull(
                    Topic.class.getResourceAsStream(message.at("/payload/$ref").asText()));
        }
    }
}
