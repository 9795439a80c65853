package io.fundingobservatory.streams.client;

import io.fundingobservatory.streams.core.Application;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topic ids of the changelogs that an application's stores in a directory belong to. Another instance may have rebuilt
 * the ledger meanwhile, and its changelogs have the same names. Kafka Streams would take an offset of the
 * former changelogs for one of the new ones.
 */
public final class StoredChangelogs {
    private static final Logger LOG = LoggerFactory.getLogger(StoredChangelogs.class);

    private StoredChangelogs() {}

    /** Whether the stores are of a changelog that was replaced by another one of its name. */
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
        return ids.entrySet().stream()
                .anyMatch(id -> !stored.getProperty(id.getKey(), id.getValue()).equals(id.getValue()));
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
