package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.streams.core.Application;
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

    /** Whether a failure is that of a store whose files are damaged or gone. A full disk damages none. */
    static boolean areDamaged(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof RocksDBException damage
                        && (damage.getStatus() == null || damage.getStatus().getSubCode() != Status.SubCode.NoSpace));
    }

    /**
     * Whether the stores are of a changelog that was replaced by another one of its name. Another instance may have rebuilt the ledger
     * meanwhile. Kafka Streams would take an offset of the former changelog for one of the new one.
     *
     * @param ids the topic ids of the application's changelogs, by name
     */
    public static boolean areOfOthers(Path stateDir, Application application, Map<String, String> ids) {
        Path file = file(stateDir, application);
        var stored = new Properties();
        if (Files.exists(file)) {
            try (Reader from = Files.newBufferedReader(file)) {
                stored.load(from);
            } catch (IOException e) {
                LOG.warn("changelogs of local stores are not known file={} cause={}", file, e.toString());
            }
        }
        boolean others = ids.entrySet().stream()
                .anyMatch(id -> !stored.getProperty(id.getKey(), id.getValue()).equals(id.getValue()));
        if (others) {
            LOG.warn(
                    "local stores are of former changelogs; they are removed and restored application={}",
                    application.id());
        }
        return others;
    }

    /** Notes of which changelogs the stores are from now on. */
    public static void note(Path stateDir, Application application, Map<String, String> ids) {
        var stored = new Properties();
        stored.putAll(ids);
        try (Writer to = Files.newBufferedWriter(file(stateDir, application))) {
            stored.store(to, null);
        } catch (IOException e) {
            LOG.warn("changelogs of local stores are not noted directory={} cause={}", stateDir, e.toString());
        }
    }

    private static Path file(Path stateDir, Application application) {
        return stateDir.resolve(application.id() + ".changelogs.properties");
    }
}
