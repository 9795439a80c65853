package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.function.Executable;

/** The questions of docs/agents.md, asked of a running service: each has the status and the fields that the page says. */
final class AgentsSession {
    private static final Pattern QUESTION = Pattern.compile(
            "### (?<title>\\d+\\. [^\\n]+)\\n\\n```\\nGET (?<address>\\S+)\\n```\\n\\n(Answers (?<status>\\d+)\\. )?Fields: (?<fields>[^\\n]+)\\.\\n");
    private static final Pattern FIELD = Pattern.compile("`([^`]+)`");

    private record Question(String title, String address, int status, List<String> fields) {}

    private AgentsSession() {}

    static void hold(int port) throws IOException, InterruptedException {
        List<Question> questions = questions();
        assertEquals(10, questions.size(), questions::toString);
        var checks = new ArrayList<Executable>();
        for (Question question : questions) {
            HttpResponse<String> answer = Http.get(port, question.address());
            JsonNode json = new ObjectMapper().readTree(answer.body());
            checks.add(() -> assertEquals(question.status(), answer.statusCode(), question.title()));
            for (String field : question.fields()) {
                checks.add(() -> assertTrue(
                        found(Stream.of(json), List.of(field.split("\\.")))
                                .findAny()
                                .isPresent(),
                        () -> question.title() + ": no " + field + " in "
                                + answer.body()
                                        .substring(
                                                0, Math.min(2_000, answer.body().length()))));
            }
        }
        assertAll(checks);
    }

    private static List<Question> questions() throws IOException {
        Path page = Path.of("..", "docs", "agents.md");
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
