package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task of which a store has no checkpoint would be declared corrupted, wiped and begun again: it begins empty at once. */
class LocalStoresTest {
    @TempDir
    Path directory;

    @Test
    void onlyTasksWithACheckpointOfEachStoreAreKept() throws IOException {
        store("0_0", "payments-v1", true);
        store("0_1", "payments-v1", false);
        store("1_0", "asset-payments-v1", true);
        store("1_0", "another-v1", false);
        Files.createDirectories(
                directory.resolve("app/2_0/estimate-errors-v1")); // closed in order, and never written to
        store("2_1", "estimate-errors-v1", false);
        Files.createFile(directory.resolve("app/2_1/.checkpoint")); // of an earlier version of Kafka Streams
        Files.createDirectories(directory.resolve("app/1_1")); // stores in memory only
        Files.createFile(directory.resolve("app/.lock"));

        LocalStores.removeUnusable(directory, "app");

        var left = new TreeSet<String>();
        try (var children = Files.list(directory.resolve("app"))) {
            children.forEach(child -> left.add(child.getFileName().toString()));
        }
        assertEquals(Set.of(".lock", "0_0", "1_1", "2_1"), left);
        assertEquals(true, Files.exists(directory.resolve("app/0_0/payments-v1/payments-v1.0/000010.sst")));
    }

    @Test
    void aFirstStartHasNothingToRemove() {
        LocalStores.removeUnusable(directory, "app");
        assertEquals(false, Files.exists(directory.resolve("app")));
    }

    @Test
    void aDirectoryThatCannotBeWrittenToIsNamedWithTheReason() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        var failure = assertThrows(StartFailure.class, () -> LocalStores.requireRoom(file.resolve("stores")));
        String line = String.valueOf(failure.getMessage());
        assertTrue(line.contains(file.toString()), line);
        assertTrue(line.contains("observatory.streams.state-dir"), line);
    }

    @Test
    void nothingIsLeftInADirectoryWithRoom() throws IOException {
        Path stores = directory.resolve("not/there/yet");
        LocalStores.requireRoom(stores);
        try (var files = Files.list(stores)) {
            assertEquals(0, files.count());
        }
    }

    private void store(String task, String store, boolean checkpoint) throws IOException {
        Path segment = Files.createDirectories(
                directory.resolve("app").resolve(task).resolve(store).resolve(store + ".0"));
        Files.createFile(segment.resolve("000010.sst"));
        if (checkpoint) {
            Files.createFile(directory.resolve("app").resolve(task).resolve(".checkpoint_" + store));
        }
    }
}
