package io.fundingobservatory.topics;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReleaseTest {
    @Test
    void isVersionInPom() throws IOException {
        String version = "<artifactId>funding-observatory</artifactId><version>" + Release.NAME + "</version>";
        String pom = Files.readString(Path.of("pom.xml"));
        assertTrue(pom.contains(version), pom);
    }
}
