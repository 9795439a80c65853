package io.fundingobservatory.gateway.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Holds answers against what the served description says of their address and status. */
public final class Described {
    private static final JsonNode OPENAPI = read();
    private static final Map<String, JsonSchema> SCHEMAS = new ConcurrentHashMap<>();

    private Described() {}

    private static JsonNode read() {
        try {
            return new ObjectMapper(new YAMLFactory())
                    .readTree(Described.class.getResourceAsStream("/served/openapi.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A JSON answer of an address, with or without a query; what is at no address is described with any unknown one. */
    public static void check(String address, int status, JsonNode answer) {
        assertEquals(
                Set.of(),
                SCHEMAS.computeIfAbsent(schemaOf(address, status), Described::schema)
                        .validate(answer),
                address);
    }

    private static String schemaOf(String address, int status) {
        String path = address.split("\\?", 2)[0];
        JsonNode operation = OPENAPI.path("paths").path(path).path("get");
        JsonNode response = operation.path("responses").path(Integer.toString(status));
        if (operation.isMissingNode()) {
            response = OPENAPI.at("/components/responses/" + (status == 405 ? "ReadOnly" : "UnknownAddress"));
        } else {
            assertFalse(response.isMissingNode(), address + " is not described with status " + status);
        }
        JsonNode reference = response.path("$ref");
        if (reference.isTextual()) {
            response = OPENAPI.at(reference.asText().substring(1));
        }
        return response.at("/content/application~1json/schema/$ref").asText();
    }

    private static JsonSchema schema(String reference) {
        ObjectNode document = new ObjectMapper().createObjectNode();
        document.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        document.put("$ref", reference);
        document.set("components", OPENAPI.path("components"));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(document);
    }

    public static JsonNode openapi() {
        return OPENAPI;
    }
}
