package io.fundingobservatory.standalone.brokers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.standalone.terminal.Stop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessCommandTest {
    @TempDir
    private Path folder;

    @Test
    void readsPasswordsUnchanged() throws IOException {
        Path file = written("""
                # of the test cluster

                gateway= leading blank
                ingest=a\\tb\\
                streams=c=d:e#f!
                team=\\u0041
                """);
        assertEquals(
                Map.of(
                        "gateway", " leading blank",
                        "ingest", "a\\tb\\",
                        "streams", "c=d:e#f!",
                        "team", "\\u0041"),
                AccessCommand.passwords(file));
    }

    @Test
    void lineWithoutPasswordIsNamedAndNotPrinted() throws IOException {
        Path file = written("ingest=a\nsecret\n");
        assertEquals(
                "--passwords " + file + " line 2 is no USER=PASSWORD",
                assertThrows(Stop.class, () -> AccessCommand.passwords(file)).getMessage());
    }

    private Path written(String lines) throws IOException {
        return Files.writeString(folder.resolve("passwords.properties"), lines);
    }
}
