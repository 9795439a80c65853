package io.fundingobservatory.standalone.brokers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.standalone.Ran;
import io.fundingobservatory.standalone.terminal.Stop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void userHasOneRole() {
        for (String second : List.of("streams=x", "team=gateway")) {
            Ran ran = Ran.observatory("access", "--user", "ingest=x", "--user", second);
            assertEquals(1, ran.exit(), ran.out());
            assertTrue(
                    ran.err().matches("observatory: --user gives (x|gateway) two roles: \\w+ and \\w+\\R"), ran.err());
        }
    }

    private Path written(String lines) throws IOException {
        return Files.writeString(folder.resolve("passwords.properties"), lines);
    }
}
