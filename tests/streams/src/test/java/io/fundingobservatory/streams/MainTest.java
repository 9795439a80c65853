package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.EndedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams as the process that a supervisor starts again when it ends. */
class MainTest {
    @TempDir
    private Path folder;

    /** As where the temporary directory is mounted with noexec: no broker is needed to know. */
    @Test
    void unloadableStoresEndProcessWithOneLine() throws IOException, InterruptedException {
        var ended = EndedProcess.of(
                Main.class,
                folder.resolve("log"),
                Duration.ofMinutes(5),
                Map.of("ROCKSDB_SHAREDLIB_DIR", folder.resolve("nowhere").toString()),
                "-micronaut.server.port=-1",
                "-observatory.kafka.bootstrap-servers=127.0.0.1:1",
                "-observatory.streams.state-dir=" + folder.resolve("stores"));
        assertEquals(1, ended.exit(), ended.text());
        assertEquals(1, ended.errors().size(), ended.text());
        assertTrue(
                ended.errors().getFirst().contains("streams failed reason=the library of the stores cannot be loaded"),
                ended.text());
    }
}
