package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FilesTest {
    @Test
    void keepsReleasesAndJoinsWrappedChanges() {
        String markdown = """
                # Changelog

                What users notice.

                ## Unreleased

                - `a` is
                  "new".
                - b

                ## 1.0.0

                - First version.
                """;
        String json = new String(Files.changes(markdown.getBytes(StandardCharsets.UTF_8), 0), StandardCharsets.UTF_8);
        assertEquals(
                "\"releases\":[{\"release\":\"Unreleased\",\"changes\":[\"`a` is \\\"new\\\".\",\"b\"]},"
                        + "{\"release\":\"1.0.0\",\"changes\":[\"First version.\"]}]}",
                json.substring(json.indexOf("\"releases\"")));
    }
}
