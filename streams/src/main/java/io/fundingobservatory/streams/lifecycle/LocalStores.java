package io.fundingobservatory.streams.lifecycle;

import io.fundingobservatory.runtime.InnermostCause;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory of this process's stores, before Kafka Streams opens any of them. */
public final class LocalStores {
    /** Less than what one store takes when it is opened. */
    private static final int PROBE_BYTES = 256 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(LocalStores.class);

    private LocalStores() {}

    /**
     * Loads the native library of the stores. Without this, a thread dies each time that it opens a store.
     *
     * @throws StartFailure when it cannot be loaded, as from a temporary directory that is mounted with {@code noexec}
     */
    public static void requireNativeLibrary() {
        try {
            RocksDB.loadLibrary();
        } catch (UnsatisfiedLinkError | RuntimeException e) {
            throw new StartFailure("the library of the stores cannot be loaded cause=" + InnermostCause.typed(e)
                    + "; mount " + System.getProperty("java.io.tmpdir")
                    + " without noexec, or name another directory with -Djava.io.tmpdir");
        }
    }

    /**
     * Writes a few bytes into the directory and removes them. Where Kafka Streams cannot write to a
     * directory, it reports neither which directory it is nor the cause.
     *
     * @throws StartFailure when there is no room, or the directory does not belong to this process
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

    /** Whether a failure is that of a store whose files are damaged or gone. A full disk and a lack of descriptors damage none. */
    static boolean areDamaged(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof RocksDBException damage && !lacksResources(damage));
    }

    private static boolean lacksResources(RocksDBException failure) {
        Status status = failure.getStatus();
        return (status != null && status.getSubCode() == Status.SubCode.NoSpace)
                || String.valueOf(failure.getMessage()).contains("Too many open files");
    }

    /**
     * Whether the stores are those of the present changelogs. Kafka Streams would take an offset of a former changelog for one of
     * the present one.
     *
     * @param ids the topic ids of the application's changelogs that exist, by name
     */
    static boolean belongTo(Path stateDir, Application application, Map<String, String> ids) {
        var noted = new Properties();
        try (Reader from = Files.newBufferedReader(file(stateDir, application))) {
            noted.load(from);
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
        return ids.keySet().containsAll(application.changelogs()) && noted.equals(ids);
    }

    /** Notes of which changelogs the stores are from now on. A note that is cut is that of other changelogs. */
    static void note(Path stateDir, Application application, Map<String, String> ids) {
        if (belongTo(stateDir, application, ids)) {
            return; // a write that fails would cost the stores
        }
        var noted = new Properties();
        noted.putAll(ids);
        try (Writer to = Files.newBufferedWriter(file(stateDir, application))) {
            noted.store(to, null);
        } catch (IOException e) {
            LOG.warn("changelogs of local stores are not noted directory={} cause={}", stateDir, e.toString());
        }
    }

    private static Path file(Path stateDir, Application application) {
        return stateDir.resolve(application.id() + ".changelogs.properties");
    }
}
