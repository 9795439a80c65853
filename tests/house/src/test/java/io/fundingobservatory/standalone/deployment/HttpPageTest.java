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
        var shown = new TreeSet<String>();
        BLOCK.matcher(page.text())
                .results()
                .forEach(block -> FIELD.matcher(block.group(1)).results().forEach(field -> shown.add(field.group(1))));
        assertTrue(shown.size() > 30, shown.size() + " fields");
        shown.removeAll(keysOf("properties", described));
        assertEquals(Set.of(), shown, "not described");
    }

    /** The keys of every object of a name. */
    private static Set<String> keysOf(String name, @Nullable Object at) {
        var found = new TreeSet<String>();
        switch (at) {
            case Map<?, ?> map ->
                map.forEach((key, value) -> {
                    if (name.equals(key) && value instanceof Map<?, ?> object) {
                        object.keySet().forEach(one -> found.add(String.valueOf(one)));
                    }
                    found.addAll(keysOf(name, value));
                });
            case List<?> list -> list.forEach(one -> found.addAll(keysOf(name, one)));
            case null, default -> {}
        }
        return found;
    }

    @Test
    void everyStatusIsDescribedOrSentByServer() throws IOException {
        var statuses = new TreeSet<String>();
        var words = new TreeSet<String>();
        for (List<String> row : page.rows("Errors")) {
            statuses.addAll(List.of(row.get(0).split(", ")));
            Page.code(row.get(1)).forEach(words::add);
        }
        statuses.removeAll(keysOf("responses", described.get("paths")));
        assertEquals(Set.of(), statuses, "not described");
        Set<String> returned = Classes.textsOf("gateway/core/site/ErrorResponses.class");
        words.removeAll(returned);
        assertEquals(Set.of(), words, "documented but never returned");
    }
}
