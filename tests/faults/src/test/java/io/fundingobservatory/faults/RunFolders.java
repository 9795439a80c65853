package io.fundingobservatory.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/** Where runs keep their data and logs. */
record RunFolders(Path folder) {
    /** An empty folder of a run. */
    Path fresh(String name, long seed) throws IOException {
        Path own = folder.resolve(name + "-" + seed);
        clean(own, true);
        return Files.createDirectories(own);
    }

    /** Of a run without a violation nothing is kept. */
    void clean(Path own, boolean held) throws IOException {
        if (held) {
            Utils.delete(own.toFile());
        }
    }

    /** What the files of a run hold, bytes; some of them may go while they are counted. */
    static long size(Path own) throws IOException {
        long size = 0;
        try (Stream<Path> files = Files.walk(own)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                try {
                    size += Files.size(file);
                } catch (NoSuchFileException e) {
                    continue;
                }
            }
        } catch (java.io.UncheckedIOException e) {
            return -1;
        }
        return size;
    }
}
