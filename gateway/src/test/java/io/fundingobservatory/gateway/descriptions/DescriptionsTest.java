package io.fundingobservatory.gateway.descriptions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fundingobservatory.gateway.PageFiles;
import io.fundingobservatory.gateway.core.site.Described;
import io.fundingobservatory.gateway.core.site.Routed;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Limits;
import io.fundingobservatory.gateway.traffic.StandardLimits;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.Retention;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class DescriptionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path SKILL = Checkout.ROOT.resolve("skills/funding-rates/SKILL.md");

    private static final String ERROR = """
            {"plan":"free","key_required":false,"meta":{"release":"1.0.0","generated_at_ms":1,"generated_at_utc":"1970-01-01T00:00:00Z",
             "source":"live","coverage":1,"venues_listed":48,"row_count":0,"units":{"count":"rows"},
             "missing":{"venues":[],"symbols":[],"kinds":[]}},"status":"unknown_address","reason":"r","addresses":["/api/v1"]}""";

    private static Map<String, String> fields() {
        var fields = new HashMap<>(Map.of(
                "Access-Control-Allow-Origin", "*",
                "Access-Control-Expose-Headers", "ETag",
                "X-Content-Type-Options", "nosniff",
                "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
                "Referrer-Policy", "no-referrer",
                "Link", "</.well-known/api-catalog>; rel=\"api-catalog\"",
                "Cache-Control", "no-store",
                "Content-Length", "5",
                "content-type", "application/json; charset=utf-8"));
        fields.put("date", "Mon, 21 Sep 2026 13:33:20 GMT");
        return fields;
    }

    private static void check(String endpoint, int status, Map<String, String> fields, String body) {
        Described.check("GET", endpoint, status, fields, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whateverDiffersFromTheDescriptionIsFound() {
        check("/nowhere", 404, fields(), ERROR);
        var wrong = new LinkedHashMap<String, Executable>();
        wrong.put("a status", () -> check("/api/v1", 404, fields(), ERROR));
        wrong.put("another status", () -> check("/nowhere", 418, fields(), ERROR));
        wrong.put("a field more", () -> check("/nowhere", 404, with("Server", "x"), ERROR));
        wrong.put("another value", () -> check("/nowhere", 404, with("Cache-Control", "public"), ERROR));
        wrong.put("a field less", () -> check("/nowhere", 404, with("Link", null), ERROR));
        wrong.put("a media type", () -> check("/nowhere", 404, with("content-type", "text/html"), ERROR));
        wrong.put("no coding", () -> check("/nowhere", 404, with("Content-Encoding", "gzip"), ERROR));
        wrong.put("a word", () -> check("/nowhere", 404, fields(), ERROR.replace("unknown_address", "lost")));
        wrong.put(
                "a member more",
                () -> check("/nowhere", 404, fields(), ERROR.replace("\"plan\"", "\"rows\":[],\"plan\"")));
        wrong.put("a member less", () -> check("/nowhere", 404, fields(), ERROR.replace("\"reason\":\"r\",", "")));
        wrong.put("a number as text", () -> check("/nowhere", 404, fields(), ERROR.replace(":48", ":\"48\"")));
        wrong.put("a body", () -> Described.check("HEAD", "/nowhere", 404, fields(), new byte[1]));
        wrong.forEach((what, differing) -> assertThrows(AssertionError.class, differing, what));
    }

    /** The promise within v1: new optional fields and words may appear, and a client that validates goes on. */
    @Test
    void acceptsResponsesOfLaterReleases() throws IOException {
        JsonNode later = JSON.readTree(ERROR.replace("1.0.0", "1.1.0")
                .replace("\"venues_listed\":48", "\"venues_listed\":49")
                .replace("\"coverage\":1", "\"coverage\":49,\"new\":[1]")
                .replace("\"plan\"", "\"new\":{\"a\":1},\"plan\""));
        assertTrue(Described.isAcceptedByClients("UnknownAddress", later));
        assertFalse(Described.isAcceptedByClients("UnknownAddress", JSON.readTree(ERROR.replace("reason", "cause"))));
        ObjectNode row = JSON.readTree(Rate.CODEC.encode(SampleRecords.rate())).deepCopy();
        assertTrue(Described.isAcceptedByClients("Rate", row));
        assertTrue(Described.isAcceptedByClients("Rate", row.put("open_interest", 1)));
        assertFalse(Described.isAcceptedByClients("Rate", row.put("funding_rate_8h", "much")));
    }

    @Test
    void closesNoResponseInTheServedDescription() {
        assertEquals(List.of(), Described.openapi().findValues("const"));
        assertEquals(List.of(), Described.openapi().findValues("unevaluatedProperties"));
        assertEquals(
                List.of(),
                Described.openapi().findValues("additionalProperties").stream()
                        .filter(value -> value.isBoolean() && !value.asBoolean())
                        .toList());
    }

    private static Map<String, String> with(String name, String value) {
        Map<String, String> fields = fields();
        fields.remove(name);
        if (value != null) {
            fields.put(name, value);
        }
        return fields;
    }

    @Test
    void oneReleaseStandsOverEverything() throws Exception {
        JsonNode asyncapi = new ObjectMapper(new YAMLFactory())
                .readTree(DescriptionsTest.class.getResourceAsStream("/served/asyncapi.yaml"));
        String release = Described.openapi()
                .at("/components/schemas/Meta/properties/release/x-today")
                .asText();
        assertEquals(release, Described.openapi().at("/info/version").asText());
        assertEquals(release, asyncapi.at("/info/version").asText());
        assertEquals(
                release,
                FrontMatter.of(Files.readString(SKILL)).at("/metadata/release").asText());
        assertTrue(Files.readString(Path.of("pom.xml")).contains("<version>" + release + "</version>"));
        var site = new Site(PageFiles.load(), 0, StandardLimits.STANDARD, () -> "");
        for (String address : List.of("/llms.txt", "/manifest.json")) {
            SiteResponse response =
                    Routed.response(site, Routed.request("GET", address, List.of(), List.of(), 0), null);
            assertTrue(
                    new String(Routed.pieces(response).getFirst(), StandardCharsets.UTF_8).contains(release), address);
        }
    }

    /** The settings have each limit once; the text and the example of the description repeat it. */
    @Test
    void limitsOfTheDescriptionAreTheDefaults() {
        Limits limits = StandardLimits.STANDARD;
        String text = Described.openapi().at("/info/description").asText().replaceAll("\\s+", " ");
        for (String said : List.of(
                limits.pointsPerMinute() + " points a minute, " + limits.burstPoints() + " at once",
                limits.sweepNames() + " or more different symbols or assets in " + limits.windowS() / 60 + " minutes",
                limits.sweepPercent() + " % of them only once",
                "up to " + limits.requestNames() + ", is no sweep",
                "More than " + limits.windowNames() + " different names in " + limits.windowS() / 60 + " minutes or "
                        + limits.hourNames() + " in an hour")) {
            assertTrue(text.contains(said), said);
        }
        JsonNode example =
                Described.openapi().at("/paths/~1api~1v1/get/responses/200/content/application~1json/example/limits");
        Map.of(
                        "points_per_minute", limits.pointsPerMinute(),
                        "points_at_once", limits.burstPoints(),
                        "sweep_names", limits.sweepNames(),
                        "sweep_window_s", limits.windowS(),
                        "sweep_once_percent", limits.sweepPercent(),
                        "names_per_sweep_window", limits.windowNames(),
                        "names_per_hour", limits.hourNames(),
                        "names_per_request", limits.requestNames())
                .forEach((name, limit) -> assertEquals(limit, example.path(name).asInt(), name));
    }

    @Test
    void everyReferenceOfTheDescriptionLeadsSomewhere() {
        var broken = new ArrayList<String>();
        references(Described.openapi(), broken);
        assertEquals(List.of(), broken);
        var operations = new HashSet<String>();
        Described.openapi()
                .path("paths")
                .forEach(path -> path.forEach(operation ->
                        operations.add(operation.path("operationId").asText())));
        assertEquals(2 * Described.openapi().path("paths").size(), operations.size(), "each has its own name");
    }

    /** One address stands for all schemas; which there are is part of its description, and of the example of the catalogue. */
    @Test
    void everySchemaThatIsServedIsNamed() throws IOException {
        Set<String> served = assertNamed("/schemas/");
        String catalogue = Described.openapi()
                .path("paths")
                .path("/.well-known/api-catalog")
                .path("get")
                .toString();
        served.forEach(path -> assertTrue(catalogue.contains('"' + path + '"'), path));
    }

    @Test
    void everyPartOfThePageIsNamed() throws IOException {
        assertNamed("/page/");
    }

    /** Compares the served paths below one with the names of the first parameter; returns the paths. */
    private static Set<String> assertNamed(String below) throws IOException {
        var site = new Site(PageFiles.load(), 0, StandardLimits.STANDARD, () -> "");
        SiteResponse manifest =
                Routed.response(site, Routed.request("GET", "/manifest.json", List.of(), List.of(), 0), null);
        Set<String> served =
                JSON.readTree(Routed.pieces(manifest).getFirst()).path("files").findValuesAsText("path").stream()
                        .filter(path -> path.startsWith(below))
                        .collect(Collectors.toSet());
        assertTrue(served.size() > 2, served.toString());
        for (String operation : List.of("get", "options")) {
            JsonNode names = Described.openapi()
                    .path("paths")
                    .path(below + "{name}")
                    .path(operation)
                    .at("/parameters/0/schema/enum");
            assertEquals(
                    served.stream()
                            .map(path -> path.substring(path.lastIndexOf('/') + 1))
                            .collect(Collectors.toSet()),
                    StreamSupport.stream(names.spliterator(), false)
                            .map(JsonNode::asText)
                            .collect(Collectors.toSet()),
                    operation);
        }
        return served;
    }

    /** A client with one connection too many gets 503 before its path is looked at. */
    @Test
    void everyEndpointMayBeBusy() {
        Described.openapi()
                .path("paths")
                .forEach(path -> assertTrue(
                        path.at("/get/responses").has("503"),
                        () -> path.at("/get/operationId").asText()));
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
    void rowDescriptionMatchesTopicRecord() throws IOException {
        JsonNode onTopic = JSON.readTree(Rate.CODEC.schemaDocument());
        JsonNode here = Described.openapi().at("/components/schemas/Rate");
        assertEquals(names(onTopic.path("properties")), names(here.path("properties")));
        // A row has all fields but for two marks.
        var always = new ArrayList<>(Rate.CODEC.fieldNames());
        always.removeAll(List.of("stale", "asset_class_by_asset"));
        assertEquals(JSON.valueToTree(always), here.path("required"));
        onTopic.path("properties").properties().forEach(field -> {
            JsonNode described = here.path("properties").path(field.getKey());
            JsonNode value = field.getValue().path("const");
            if (!value.isMissingNode()) {
                assertEquals(value, described.path("x-today"), field.getKey());
            } else {
                assertEquals(field.getValue().path("type"), described.path("type"), field.getKey());
            }
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
        assertRetention(asyncapi, asyncapi.at("/channels/deadLetters"), Topics.DEAD_LETTERS.policy());
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
            assertRetention(asyncapi, channel, topic.policy());
            assertEquals(
                    topic.codec().schemaResource(),
                    JSON.readTree(topic.codec().schemaDocument()).path("$id").asText());
        }
    }

    /** Channel and operation end with how long the catalogue keeps a record. */
    private static void assertRetention(JsonNode asyncapi, JsonNode channel, Retention policy) {
        String kept = switch (policy) {
            case Retention.Delete(Duration age, long ignored) -> "Kept " + age.toDays() + " days.";
            case Retention.DeleteStamped(Duration age, long ignored) -> "Kept " + age.toDays() + " days.";
            case Retention.Compact() -> "Compacted.";
            case Retention.CompactStamped() -> "Compacted.";
        };
        String description = channel.path("description").asText();
        assertTrue(description.endsWith(". " + kept), description + " is " + kept);
        assertEquals(
                1,
                StreamSupport.stream(asyncapi.path("operations").spliterator(), false)
                        .filter(operation -> operation.path("summary").asText().equals(description))
                        .count(),
                description);
    }
}
