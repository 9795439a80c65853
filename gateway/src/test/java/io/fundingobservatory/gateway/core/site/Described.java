package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;

/**
 * Compares whole responses with the served description. The status must be described for the path. Every
 * described field and no other must be there, in its described form. The media type and the body must be as
 * described, too.
 */
public final class Described {
    private static final JsonNode SERVED = read();
    private static final JsonNode OPENAPI = StrictDescription.of(SERVED);
    private static final Map<JsonNode, Schema> SCHEMAS = new ConcurrentHashMap<>();

    /** What any HTTP server adds, and what a description leaves to the media type. */
    private static final Set<String> OF_THE_SERVER = Set.of("date", "connection", "content-type", "transfer-encoding");

    /** Responses where nothing is served, by status. */
    private static final Map<Integer, String> ANYWHERE = Map.of(
            204, "Preflight",
            400, "Unreadable",
            404, "UnknownAddress",
            405, "ReadOnly",
            414, "LineTooLong",
            429, "Refused",
            431, "FieldsTooLarge",
            500, "Failed",
            505, "VersionUnknown");

    private Described() {}

    private static JsonNode read() {
        try {
            return new ObjectMapper(new YAMLFactory())
                    .readTree(Described.class.getResourceAsStream("/served/openapi.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A response of the site, before a server has touched it. */
    public static void check(String method, String address, SiteResponse response) {
        var body = new java.io.ByteArrayOutputStream();
        if (!method.equals("HEAD")) {
            Routed.pieces(response).forEach(body::writeBytes);
        }
        check(method, address, response.status(), response.headers(), body.toByteArray());
    }

    /** A response as it went over the wire, headers and body. */
    public static void check(String method, String address, String raw) {
        int end = raw.indexOf("\r\n\r\n");
        String[] lines = raw.substring(0, end).split("\r\n", -1);
        var headers = new TreeMap<String, String>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.put(
                    lines[i].substring(0, colon), lines[i].substring(colon + 1).strip());
        }
        byte[] body = raw.substring(end + 4).getBytes(StandardCharsets.UTF_8);
        check(method, address, Integer.parseInt(lines[0].split(" ", 3)[1]), headers, body);
    }

    /**
     * A response.
     *
     * @param address the path, with or without a query
     * @param body the bytes as they came, in their content coding
     */
    public static void check(String method, String address, int status, Map<String, String> headers, byte[] body) {
        String where = method + " " + address + " " + status;
        var fields = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        fields.putAll(headers);
        String path = address.split("\\?", 2)[0];
        // A slash at the end of an endpoint is ignored.
        boolean slash = path.startsWith("/api/v1") && path.endsWith("/") && status != 404;
        JsonNode response = response(method, slash ? path.substring(0, path.length() - 1) : path, status, where);
        fields(response, fields, status, where);
        JsonNode content = response.path("content");
        if (content.isMissingNode() || method.equals("HEAD")) {
            assertEquals(0, body.length, where + " has no body");
        }
        if (content.isMissingNode()) {
            return;
        }
        String type = fields.getOrDefault("Content-Type", "").split(";", 2)[0];
        JsonNode media = content.path(type);
        assertFalse(media.isMissingNode(), where + " is not described as " + type);
        if (!method.equals("HEAD")) {
            valid(media.path("schema"), value(type, unpacked(fields.get("Content-Encoding"), body)), where);
        }
    }

    private static void fields(JsonNode response, Map<String, String> fields, int status, String where) {
        var described = new TreeMap<String, JsonNode>(String.CASE_INSENSITIVE_ORDER);
        response.path("headers").properties().forEach(header -> described.put(header.getKey(), at(header.getValue())));
        described.forEach((name, header) -> {
            String value = fields.get(name);
            if (value == null) {
                assertFalse(header.path("required").asBoolean(), where + " has no " + name);
            } else {
                boolean whole = header.at("/schema/type").asText().equals("integer");
                valid(
                        header.path("schema"),
                        whole ? IntNode.valueOf(Integer.parseInt(value)) : TextNode.valueOf(value),
                        where + " " + name);
            }
        });
        for (String name : fields.keySet()) {
            boolean known = described.containsKey(name)
                    || OF_THE_SERVER.contains(name.toLowerCase(java.util.Locale.ROOT))
                    // The empty body of a preflight may be counted.
                    || (status == 204
                            && name.equalsIgnoreCase("content-length")
                            && fields.get(name).equals("0"));
            assertTrue(known, where + " is not described with " + name);
        }
    }

    private static JsonNode response(String method, String path, int status, String where) {
        JsonNode item = OPENAPI.path("paths").path(path);
        String folder = path.substring(0, path.lastIndexOf('/') + 1);
        if (item.isMissingNode() && folder.length() > 1 && status != 404) {
            item = OPENAPI.path("paths").path(folder + "{name}");
        }
        JsonNode response;
        if (item.isMissingNode()) {
            response = OPENAPI.at("/components/responses/" + ANYWHERE.getOrDefault(status, "nothing"));
        } else {
            String operation = method.equals("OPTIONS") ? "options" : "get";
            response = at(item.path(operation).path("responses").path(Integer.toString(status)));
        }
        assertFalse(response.isMissingNode(), where + " is not described");
        return response;
    }

    private static JsonNode at(JsonNode described) {
        JsonNode reference = described.path("$ref");
        return reference.isTextual() ? OPENAPI.at(reference.asText().substring(1)) : described;
    }

    private static byte[] unpacked(String coding, byte[] body) {
        try (var packed = new ByteArrayInputStream(body)) {
            return switch (coding) {
                case null -> body;
                case "gzip" -> new GZIPInputStream(packed).readAllBytes();
                default -> throw new AssertionError("no such content coding: " + coding);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode value(String type, byte[] body) {
        try {
            return type.endsWith("json")
                    ? new ObjectMapper().readTree(body)
                    : TextNode.valueOf(new String(body, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void valid(JsonNode schema, JsonNode value, String where) {
        assertEquals(
                List.of(), SCHEMAS.computeIfAbsent(schema, Described::compiled).validate(value), where);
    }

    private static Schema compiled(JsonNode schema) {
        return compiled(schema, OPENAPI);
    }

    private static Schema compiled(JsonNode schema, JsonNode description) {
        ObjectNode document = schema.deepCopy();
        document.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        document.set("components", description.path("components"));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(document);
    }

    /** The description as it is served. */
    public static JsonNode openapi() {
        return SERVED;
    }

    /** Whether a client that validates a value with the served description accepts it as that schema of the components. */
    public static boolean isAcceptedByClients(String schema, JsonNode value) {
        return compiled(SERVED.at("/components/schemas/" + schema), SERVED)
                .validate(value)
                .isEmpty();
    }
}
