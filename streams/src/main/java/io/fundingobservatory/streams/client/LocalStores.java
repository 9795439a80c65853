package io.fundingobservatory.streams.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stores on this process's disk, window stores all of them: {@code <state-dir>/<application>/<task>/<store>}, each with a file
 * {@code .checkpoint_<store>} beside it that says how far its changelog is in it.
 *
 * <p>With exactly-once that file is there only after an orderly end, and only once something was written. A store without it may hold
 * what was never committed; Kafka Streams finds that out after it has opened all of them, declares the task corrupted with a page of
 * errors, wipes it and begins again. Its end is the same, so such a task begins with an empty directory at once.
 */
public final class LocalStores {
    private static final Logger LOG = LoggerFactory.getLogger(LocalStores.class);
    private static final String CHECKPOINT = ".checkpoint";

    /** Less than what one store takes when it is opened. */
    private static final int PROBE_BYTES = 256 * 1024;

    private LocalStores() {}

    /**
     * Writes a little into the directory and removes it: Kafka Streams says of a directory that it cannot write to neither which one it
     * is nor why.
     *
     * @throws StartFailure when there is no room, or it is not this process's
     */
    public static void requireRoom(Path stateDir) {
        try {
            Path probe = Files.createTempFile(Files.createDirectories(stateDir), "room", null);
            try {
                Files.write(probe, new byte[PROBE_BYTES]);
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            throw new StartFailure("stores cannot be written cause=" + e
                    + "; make room there, or name another directory with observatory.streams.state-dir");
        }
    }

    /** Removes the tasks of which a store has no checkpoint; the process must hold the directory, and no store may be open. */
    public static void removeUnusable(Path stateDir, String applicationId) {
        Path application = stateDir.resolve(applicationId);
        if (!Files.isDirectory(application)) {
            return;
        }
        var lost = new ArrayList<String>();
        try {
            for (Path task : children(application)) {
                if (!isUsable(task)) {
                    if (holdsData(task)) {
                        lost.add(String.valueOf(task.getFileName()));
                    }
                    delete(task);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("local stores cannot be looked through directory={} cause={}", application, e.toString());
        }
        if (!lost.isEmpty()) {
            lost.sort(null);
            LOG.info("the last run did not end in order; stores are read from their changelogs tasks={}", lost);
        }
    }

    /** A checkpoint of a whole task is of an earlier version of Kafka Streams, which knows what to make of it. */
    private static boolean isUsable(Path task) throws IOException {
        return Files.exists(task.resolve(CHECKPOINT))
                || children(task).stream()
                        .allMatch(store -> Files.exists(task.resolve(CHECKPOINT + "_" + store.getFileName())));
    }

    private static boolean holdsData(Path task) throws IOException {
        try (Stream<Path> files = Files.walk(task)) {
            return files.anyMatch(file -> String.valueOf(file.getFileName()).endsWith(".sst"));
        }
    }

    private static List<Path> children(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.filter(Files::isDirectory).toList();
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
