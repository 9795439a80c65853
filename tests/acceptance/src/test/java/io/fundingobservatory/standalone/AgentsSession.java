package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fundingobservatory.testbed.Checkout;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.function.Executable;

/** Sends the requests of {@code docs/agents.md} and of the skill to a running service. Each response fits an agent. */
final class AgentsSession {
    private static final Pattern QUESTION = Pattern.compile(
            "### (?<title>\\d+\\. [^\\n]+)\\n\\n```\\nGET (?<address>\\S+)\\n```\\n\\n(Answers (?<status>\\d+)\\. )?Fields: (?<fields>[^\\n]+)\\.\\n");
    private static final Pattern FIELD = Pattern.compile("`([^`]+)`");
    private static final Pattern SKILL_REQUEST = Pattern.compile("\\| `\\{api}(/[^`]+)` \\|");

    /** What a response takes of an agent's context at most. */
    private static final int TOKENS = 2_000;

    private static final double BYTES_PER_TOKEN = 3.5;

    private record Question(String title, String address, int status, List<String> fields) {}

    private AgentsSession() {}

    /** Checks the status, the fields and the length of every response. */
    static void check(int port) throws IOException, InterruptedException {
        List<Question> questions = questions();
        assertEquals(10, questions.size(), questions::toString);
        var checks = new ArrayList<Executable>();
        for (Question question : questions) {
            HttpResponse<String> response = Http.get(port, question.address());
            JsonNode json = asObjects(new ObjectMapper().readTree(response.body()));
            checks.add(() -> assertEquals(question.status(), response.statusCode(), question.title()));
            checks.add(() -> fits(question.address(), response));
            for (String field : question.fields()) {
                checks.add(() -> assertTrue(
                        found(Stream.of(json), List.of(field.split("\\.")))
                                .findAny()
                                .isPresent(),
                        () -> question.title() + ": no " + field + " in "
                                + response.body()
                                        .substring(
                                                0,
                                                Math.min(2_000, response.body().length()))));
            }
        }
        checks.addAll(skill(port));
        assertAll(checks);
    }

    private static List<Executable> skill(int port) throws IOException, InterruptedException {
        Path skill = Checkout.ROOT.resolve("skills/funding-rates/SKILL.md");
        var checks = new ArrayList<Executable>();
        var requests = SKILL_REQUEST
                .matcher(Files.readString(skill))
                .results()
                .map(found -> "/api/v1" + found.group(1))
                .toList();
        assertEquals(10, requests.size());
        for (String request : requests) {
            HttpResponse<String> response = Http.get(port, request);
            checks.add(() -> assertEquals(200, response.statusCode(), request));
            checks.add(() -> fits(request, response));
        }
        return checks;
    }

    private static void fits(String request, HttpResponse<String> response) {
        double tokens = response.body().getBytes(StandardCharsets.UTF_8).length / BYTES_PER_TOKEN;
        System.out.printf("%,.0f tokens %s%n", tokens, request);
        assertTrue(tokens <= TOKENS, () -> request + " takes " + tokens + " tokens: " + response.body());
    }

    /** Rows that are arrays become objects with the names of {@code columns}. */
    private static JsonNode asObjects(JsonNode json) {
        JsonNode columns = json.path("columns");
        if (!columns.isMissingNode()) {
            ArrayNode rows = JsonNodeFactory.instance.arrayNode();
            for (JsonNode row : json.path("rows")) {
                ObjectNode object = rows.addObject();
                for (int i = 0; i < columns.size(); i++) {
                    object.set(columns.get(i).asText(), row.get(i));
                }
            }
            ((ObjectNode) json).set("rows", rows);
        }
        return json;
    }

    private static List<Question> questions() throws IOException {
        Path page = Checkout.ROOT.resolve("docs/agents.md");
        return QUESTION.matcher(Files.readString(page))
                .results()
                .map(found -> new Question(
                        found.group("title"),
                        found.group("address"),
                        found.group("status") == null ? 200 : Integer.parseInt(found.group("status")),
                        FIELD.matcher(found.group("fields"))
                                .results()
                                .map(field -> field.group(1))
                                .toList()))
                .toList();
    }

    /**
     * Returns the values at a path of names; {@code name[]} means every element of a list. A null value
     * counts as a value.
     */
    private static Stream<JsonNode> found(Stream<JsonNode> at, List<String> path) {
        if (path.isEmpty()) {
            return at;
        }
        String name = path.getFirst();
        boolean list = name.endsWith("[]");
        String plain = list ? name.substring(0, name.length() - 2) : name;
        Stream<JsonNode> next = at.filter(node -> node.has(plain)).map(node -> node.get(plain));
        return found(
                list ? next.flatMap(node -> StreamSupport.stream(node.spliterator(), false)) : next,
                path.subList(1, path.size()));
    }
}
