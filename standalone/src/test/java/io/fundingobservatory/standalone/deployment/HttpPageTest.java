package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** docs/http.md asks for addresses, and shows fields and statuses, that the served description has. */
class HttpPageTest {
    private static final Pattern ASKED = Pattern.compile("(?m)^GET (/[^ ?\\n]+)(?:\\?(\\S+))?");
    private static final Pattern BLOCK = Pattern.compile("```json\n(.*?)\n```", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\" ?:");

    private final Page page = Page.read("docs/http.md");
    private final Map<String, Object> described = Values.map(
            new Yaml().load(Files.readString(Chart.ROOT.resolve("gateway/src/main/resources/served/openapi.yaml"))));

    HttpPageTest() throws IOException {}

    @Test
    void everyAddressThatItAsksIsDescribedWithItsParameters() {
        List<MatchResult> asked = ASKED.matcher(page.text()).results().toList();
        assertTrue(asked.size() >= 5, asked.size() + " addresses");
        for (MatchResult one : asked) {
            Object get = Values.at(Values.map(described.get("paths")).get(one.group(1)), "get");
            assertTrue(get != null, one.group(1) + " is not described");
            Set<Object> names = parameters(get);
            for (String parameter :
                    one.group(2) == null ? new String[0] : one.group(2).split("&")) {
                assertTrue(names.contains(parameter.split("=")[0]), one.group() + ": there are " + names);
            }
        }
    }

    private Set<Object> parameters(@Nullable Object get) {
        Object parameters = Values.at(get, "parameters");
        return parameters == null
                ? Set.of()
                : Values.list(parameters).stream()
                        .map(this::resolved)
                        .map(parameter -> (Object) String.valueOf(Values.at(parameter, "name")))
                        .collect(Collectors.toSet());
    }

    /** What {@code $ref: '#/components/parameters/venues'} points to, or the object itself. */
    private Object resolved(Object object) {
        Object reference = Values.at(object, "$ref");
        Object found = reference == null
                ? object
                : Values.at(described, String.valueOf(reference).substring(2).replace('/', '.'));
        assertTrue(found != null, "nothing at " + reference);
        return found;
    }

    @Test
    void everyFieldThatItShowsIsDescribed() {
        Set<String> known = new TreeSet<>();
        properties(described, known);
        var shown = new TreeSet<String>();
        BLOCK.matcher(page.text())
                .results()
                .forEach(block -> FIELD.matcher(block.group(1)).results().forEach(field -> shown.add(field.group(1))));
        assertTrue(shown.size() > 30, shown.size() + " fields");
        shown.removeAll(known);
        assertEquals(Set.of(), shown, "not described");
    }

    private static void properties(@Nullable Object at, Set<String> found) {
        switch (at) {
            case Map<?, ?> map ->
                map.forEach((name, value) -> {
                    if ("properties".equals(name) && value instanceof Map<?, ?> properties) {
                        properties.keySet().forEach(property -> found.add(String.valueOf(property)));
                    }
                    properties(value, found);
                });
            case List<?> list -> list.forEach(one -> properties(one, found));
            case null, default -> {}
        }
    }

    @Test
    void everyStatusIsOneThatAnAddressOrTheServerAnswers() throws IOException {
        var statuses = new TreeSet<String>();
        var words = new TreeSet<String>();
        for (List<String> row : page.rows("When there is no list")) {
            statuses.addAll(List.of(row.get(0).split(", ")));
            Page.code(row.get(1)).forEach(words::add);
        }
        var described = new TreeSet<String>();
        collect(this.described.get("paths"), described);
        statuses.removeAll(described);
        assertEquals(Set.of(), statuses, "not described");
        Set<String> said = Classes.textsOf("gateway/core/site/ErrorResponses.class");
        words.removeAll(said);
        assertEquals(Set.of(), words, "said by nobody");
    }

    private static void collect(@Nullable Object at, Set<String> found) {
        switch (at) {
            case Map<?, ?> map ->
                map.forEach((name, value) -> {
                    if ("responses".equals(name) && value instanceof Map<?, ?> responses) {
                        responses.keySet().forEach(status -> found.add(String.valueOf(status)));
                    }
                    collect(value, found);
                });
            case List<?> list -> list.forEach(one -> collect(one, found));
            case null, default -> {}
        }
    }
}
