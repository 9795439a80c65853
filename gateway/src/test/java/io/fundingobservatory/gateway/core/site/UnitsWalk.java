package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.topics.ListedVenue;
import java.util.ArrayList;
import java.util.List;

/** Walks a whole response: the envelope is there, and no number is without a unit. */
public final class UnitsWalk {
    private UnitsWalk() {}

    public static void check(JsonNode response) {
        assertEquals("free", response.path("plan").asText());
        assertTrue(response.path("key_required").isBoolean());
        assertFalse(response.path("key_required").asBoolean());
        JsonNode meta = response.path("meta");
        assertEquals("1.0.0", meta.path("release").asText());
        assertTrue(meta.path("generated_at_ms").isIntegralNumber());
        assertEquals(
                meta.path("generated_at_ms").asLong(),
                java.time.Instant.parse(meta.path("generated_at_utc").asText()).toEpochMilli());
        assertEquals(ListedVenue.ALL.size(), meta.path("venues_listed").asInt());
        for (String part : List.of("venues", "symbols", "kinds")) {
            assertTrue(meta.path("missing").path(part).isArray(), part);
        }
        assertEquals(List.of(), unitless(response));
    }

    static List<String> unitless(JsonNode response) {
        var found = new ArrayList<String>();
        walk("", response, response.path("meta").path("units"), found);
        return found;
    }

    private static void walk(String name, JsonNode node, JsonNode units, List<String> found) {
        if (node.isNumber() && units.path(name).asText().isBlank()) {
            found.add(name);
        }
        node.properties().forEach(field -> walk(field.getKey(), field.getValue(), units, found));
        if (node.isArray()) {
            node.forEach(element -> walk(name, element, units, found));
        }
    }
}
