package io.fundingobservatory.gateway.core.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;

/**
 * Derives a strict copy from the served description, which leaves responses open. A response of this release
 * has to match the copy exactly: no further fields, and the values that {@code x-today} names.
 */
final class StrictDescription {
    private final Set<String> extended = new HashSet<>();

    private StrictDescription() {}

    static JsonNode of(JsonNode served) {
        JsonNode copy = served.deepCopy();
        var strict = new StrictDescription();
        strict.collectExtended(copy);
        copy.at("/components/schemas")
                .properties()
                .forEach(schema -> strict.close(
                        schema.getValue(), !strict.extended.contains("#/components/schemas/" + schema.getKey())));
        strict.close(copy.path("paths"), true);
        strict.close(copy.at("/components/responses"), true);
        strict.close(copy.at("/components/headers"), true);
        return copy;
    }

    /** A schema that others extend stays open: the extension is closed. */
    private void collectExtended(JsonNode node) {
        node.path("allOf").forEach(part -> extended.add(part.path("$ref").asText()));
        node.forEach(this::collectExtended);
    }

    private void close(JsonNode node, boolean isWhole) {
        if (node instanceof ObjectNode schema) {
            if (schema.has("x-today")) {
                schema.set("const", schema.get("x-today"));
            }
            if (isWhole && schema.has("allOf")) {
                schema.put("unevaluatedProperties", false);
            } else if (isWhole && schema.path("properties").isObject() && !schema.has("additionalProperties")) {
                schema.put("additionalProperties", false);
            }
        }
        node.properties().forEach(member -> {
            if (!member.getKey().startsWith("example")) {
                close(member.getValue(), true);
            }
        });
        if (node.isArray()) {
            // The parts of an allOf see only their own fields.
            node.forEach(part -> close(part, false));
        }
    }
}
