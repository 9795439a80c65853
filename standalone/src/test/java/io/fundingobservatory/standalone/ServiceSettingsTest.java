package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.fundingobservatory.testbed.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** What a service sets of the framework holds for it in one process with the others as well. */
class ServiceSettingsTest {
    private static final Path ROOT = Checkout.ROOT;

    @ParameterizedTest
    @CsvSource({"gateway, server", "gateway, lifecycle", "gateway, metrics", "gateway, health", "ingest, http"})
    void isTheSameInOneProcess(String module, String section) throws IOException {
        Object alone = micronaut(module).get(section);
        assertNotNull(alone, module + " sets micronaut." + section);
        assertEquals(alone, micronaut("standalone").get(section));
    }

    private static Map<?, ?> micronaut(String module) throws IOException {
        try (var yaml = Files.newBufferedReader(ROOT.resolve(module).resolve("src/main/resources/application.yml"))) {
            return (Map<?, ?>) ((Map<?, ?>) new Yaml().load(yaml)).get("micronaut");
        }
    }
}
