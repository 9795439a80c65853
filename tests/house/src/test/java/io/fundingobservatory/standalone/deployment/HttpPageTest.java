package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** docs/http.md shows fields and statuses that the served description has. */
class HttpPageTest {
    private static final Pattern BLOCK = Pattern.compile("```json\n(.*?)\n```", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\" ?:");

    private final Page page = Page.read("docs/http.md");
    private final Map<String, Object> described = Values.map(
            new Yaml().load(Files.readString(Checkout.ROOT.resolve("gateway/src/main/resources/served/openapi.yaml"))));

    HttpPageTest() throws IOException {}

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
    void everyStatusIsDescribedOrSentByServer() throws IOException {
        var statuses = new TreeSet<String>();
        var words = new TreeSet<String>();
        for (List<String> row : page.rows("Errors")) {
            statuses.addAll(List.of(row.get(0).split(", ")));
            Page.code(row.get(1)).forEach(words::add);
        }
        var described = new TreeSet<String>();
        collect(this.described.get("paths"), described);
        statuses.removeAll(described);
        assertEquals(Set.of(), statuses, "not described");
        Set<String> returned = Classes.textsOf("gateway/core/site/ErrorResponses.class");
        words.removeAll(returned);
        assertEquals(Set.of(), words, "documented but never returned");
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
