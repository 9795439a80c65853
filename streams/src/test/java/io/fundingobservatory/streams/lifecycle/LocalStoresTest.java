package io.fundingobservatory.streams.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** A directory that cannot hold stores is named before Kafka Streams opens any. */
class LocalStoresTest {
    @TempDir
    Path directory;

    @Test
    void namesUnwritableDirectoryWithReason() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        var failure = assertThrows(StartFailure.class, () -> LocalStores.requireRoom(file.resolve("stores")));
        String line = String.valueOf(failure.getMessage());
        assertTrue(line.contains(file.toString()), line);
        assertTrue(line.contains("observatory.streams.state-dir"), line);
    }

    @Test
    void fullDiskDamagesNoStore() {
        var damaged = new RocksDBException("", new Status(Status.Code.Corruption, Status.SubCode.None, "cut"));
        assertTrue(LocalStores.areDamaged(new ProcessorStateException("not opened", damaged)));
        var full = new RocksDBException("", new Status(Status.Code.IOError, Status.SubCode.NoSpace, "full"));
        assertFalse(LocalStores.areDamaged(new ProcessorStateException("not opened", full)));
        assertFalse(LocalStores.areDamaged(new ProcessorStateException("a changelog is gone")));
        var descriptors = new RocksDBException("While open a file for random read: 7.sst: Too many open files");
        assertFalse(LocalStores.areDamaged(new ProcessorStateException("not opened", descriptors)));
    }

    @Test
    void storesBelongToNotedChangelogsAlone() {
        var application = new Application("app", List.of("a", "b"), List.of("a"), "all");
        Map<String, String> ids = Map.of("app-a-changelog", "1", "app-b-changelog", "2");
        assertFalse(LocalStores.belongTo(directory, application, ids), "nothing is noted");
        LocalStores.note(directory, application, ids);
        assertTrue(LocalStores.belongTo(directory, application, ids));
        assertFalse(LocalStores.belongTo(directory, application, Map.of("app-a-changelog", "1")), "one is gone");
        assertFalse(
                LocalStores.belongTo(directory, application, Map.of("app-a-changelog", "1", "app-b-changelog", "3")));
    }

    /** As of a process that ends while it notes. */
    @Test
    void cutNoteIsOfOtherChangelogs() throws IOException {
        var application = new Application("app", List.of("a"), List.of("a"), "all");
        Map<String, String> ids = Map.of("app-a-changelog", "1234");
        LocalStores.note(directory, application, ids);
        Path note = directory.resolve("app.changelogs.properties");
        byte[] whole = Files.readAllBytes(note);
        int end = new String(whole, StandardCharsets.ISO_8859_1).indexOf("1234") + 4;
        for (int cut = 0; cut < end; cut++) {
            Files.write(note, Arrays.copyOf(whole, cut));
            assertFalse(LocalStores.belongTo(directory, application, ids), cut + " bytes");
        }
        Files.write(note, Arrays.copyOf(whole, end));
        assertTrue(LocalStores.belongTo(directory, application, ids));
    }

    /** A write that fails, as on a full disk, would cost whole stores. */
    @Test
    void noteThatFitsIsNotWrittenAgain() throws IOException {
        var application = new Application("app", List.of("a"), List.of("a"), "all");
        Path note = directory.resolve("app.changelogs.properties");
        Files.writeString(note, "# the first one\napp-a-changelog=1\n");
        LocalStores.note(directory, application, Map.of("app-a-changelog", "1"));
        assertTrue(Files.readString(note).startsWith("# the first one\n"));
        LocalStores.note(directory, application, Map.of("app-a-changelog", "2"));
        assertTrue(LocalStores.belongTo(directory, application, Map.of("app-a-changelog", "2")));
    }

    @Test
    void nothingIsLeftInADirectoryWithRoom() throws IOException {
        Path stores = directory.resolve("not/there/yet");
        LocalStores.requireRoom(stores);
        try (var files = Files.list(stores)) {
            assertEquals(0, files.count());
        }
    }
}
