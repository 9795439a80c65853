package io.fundingobservatory.gateway.descriptions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;

/** The front matter of a skill, read as strictly as the Agent Skills specification has it. */
final class FrontMatter {
    private FrontMatter() {}

    /** What stands between the first two lines of three dashes. */
    static JsonNode of(String skill) throws IOException {
        assertTrue(skill.startsWith("---\n"), "the dashes are the first bytes");
        int end = skill.indexOf("\n---\n", 3);
        assertTrue(end > 0, "the front matter ends");
        String yaml = skill.substring(4, end + 1);
        yaml.lines()
                .forEach(line ->
                        assertTrue(line.matches("( {2})?[a-z_-]+:( [^\\[{&*!|>].*)?"), "a plain line: " + line));
        JsonNode read = new ObjectMapper(new YAMLFactory()).readTree(yaml);
        assertTrue(read.isObject());
        return read;
    }

    /** What stands after it. */
    static String body(String skill) {
        String body = skill.substring(skill.indexOf("\n---\n", 3) + 5);
        assertEquals(-1, body.indexOf('\r'));
        return body;
    }
}
