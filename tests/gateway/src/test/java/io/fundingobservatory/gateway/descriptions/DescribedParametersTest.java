package io.fundingobservatory.gateway.descriptions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.site.Described;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The running service judged by its own description: every address with each of its parameters, once as the description says and once
 * otherwise. {@link RunningGateway#call} holds status, fields and body of each response against what is described for it.
 */
class DescribedParametersTest {
    private static final Set<Integer> KNOWN_STATUSES = Set.of(200, 304, 501, 503);

    private final RunningGateway gateway = RunningGateway.serving(3);

    static List<String> endpoints() {
        var endpoints = new ArrayList<String>();
        Described.openapi().path("paths").fieldNames().forEachRemaining(path -> {
            if (!path.contains("{")) {
                endpoints.add(path);
            }
        });
        return endpoints;
    }

    private static List<JsonNode> parameters(String endpoint, String in) {
        var found = new ArrayList<JsonNode>();
        Described.openapi()
                .path("paths")
                .path(endpoint)
                .path("get")
                .path("parameters")
                .forEach(parameter -> found.add(
                        parameter.has("$ref")
                                ? Described.openapi()
                                        .at(parameter.path("$ref").asText().substring(1))
                                : parameter));
        found.removeIf(parameter -> !parameter.path("in").asText().equals(in));
        return found;
    }

    /** Values that the schema of a parameter allows. */
    private static Set<String> allowed(JsonNode parameter) {
        JsonNode schema = parameter.path("schema");
        JsonNode example = parameter.path("example");
        var values = new TreeSet<String>();
        if (schema.path("type").asText().equals("integer")) {
            for (String limit : List.of("minimum", "maximum", "default")) {
                if (schema.has(limit)) {
                    values.add(schema.path(limit).asText());
                }
            }
            values.add(example.asText());
        } else if (schema.has("enum")) {
            schema.path("enum").forEach(value -> values.add(value.asText()));
        } else if (schema.has("pattern")) {
            values.add(example.asText());
        } else if (schema.path("items").has("enum")) {
            schema.path("items").path("enum").forEach(value -> values.add(value.asText()));
            values.add(String.join(",", values));
        } else {
            assertEquals("array", schema.path("type").asText(), "a kind of parameter that this test has no values for");
            values.add(example.get(0).asText());
            values.add(IntStream.range(0, example.size())
                    .mapToObj(i -> example.get(i).asText())
                    .collect(Collectors.joining(",")));
            values.add(names(schema.path("maxItems").asInt(50)));
            values.add("all");
            values.add("nobody-knows-this");
        }
        return values;
    }

    /** Values that it does not. */
    private static Set<String> forbidden(JsonNode parameter) {
        JsonNode schema = parameter.path("schema");
        if (schema.path("type").asText().equals("integer")) {
            return Set.of(
                    Long.toString(schema.path("minimum").asLong() - 1),
                    Long.toString(schema.path("maximum").asLong() + 1),
                    "-1",
                    "x",
                    "1e2",
                    "1.5",
                    "99999999999999999999");
        }
        if (schema.has("enum") || schema.has("pattern") || schema.path("items").has("enum")) {
            return Set.of("x", "venue,,nobody-knows-this");
        }
        return schema.has("maxItems") ? Set.of(names(schema.path("maxItems").asInt() + 1)) : Set.of();
    }

    private static String names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "N" + i).collect(Collectors.joining(","));
    }

    private int status(String endpoint, String query) {
        return gateway.get(endpoint + "?" + query).statusCode();
    }

    private static String pair(JsonNode parameter, String value) {
        return parameter.path("name").asText() + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    void acceptsDescribedParametersAndRejectsOthers(String endpoint) {
        List<JsonNode> parameters = parameters(endpoint, "query");
        for (JsonNode parameter : parameters) {
            for (String value : allowed(parameter)) {
                int status = status(endpoint, pair(parameter, value));
                assertTrue(KNOWN_STATUSES.contains(status), () -> pair(parameter, value) + " -> " + status);
            }
            for (String value : forbidden(parameter)) {
                assertEquals(400, status(endpoint, pair(parameter, value)), () -> pair(parameter, value));
            }
            String twice = pair(parameter, "1") + "&" + pair(parameter, "1");
            assertEquals(400, status(endpoint, twice), twice);
        }
        int unknown = status(endpoint, "nobody-knows-this=1");
        assertTrue(
                parameters.isEmpty() ? unknown < 500 || unknown == 501 : unknown == 400,
                "a parameter that is unknown -> " + unknown);
    }
}
