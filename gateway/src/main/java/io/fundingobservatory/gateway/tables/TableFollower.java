package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.kafka.KafkaAccess;
import io.fundingobservatory.topics.kafka.TopicCreation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps tables open: waits for the broker and its topics, opens tables, and opens others when those have failed. Whatever goes wrong
 * (a name that does not resolve, a refusal, a topic that is missing, no room for temporary files) is tried again every second for as
 * long as this process runs, and logged once until it changes.
 */
public final class TableFollower implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(TableFollower.class);
    private static final long TRY_AGAIN_MS = 1_000;
    private static final long FIRST_LIST_MS = 20;

    private final KafkaAccess kafka;
    private final Changes changes;
    private final Consumer<String> poison;
    private final Future<?> firstList;
    private final CountDownLatch closing;
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private boolean topicsThere;
    private volatile @Nullable Tables opening;
    private volatile @Nullable Tables open;

    /**
     * A follower that has opened nothing yet.
     *
     * @param changes is told what changes in the tables
     * @param poison is told the topic of each record that cannot be read
     * @param firstList is done when the first list is there; pairs are followed from then on
     * @param closing is counted down to end it
     */
    public TableFollower(
            KafkaAccess kafka, Changes changes, Consumer<String> poison, Future<?> firstList, CountDownLatch closing) {
        this.kafka = kafka;
        this.firstList = firstList;
        this.changes = changes;
        this.poison = poison;
        this.closing = closing;
    }

    /** The tables; null while there are none to be read. */
    public @Nullable TableReader tables() {
        return open;
    }

    @Override
    public void run() {
        try {
            while (closing.getCount() > 0) {
                try {
                    follow();
                } catch (ExecutionException e) {
                    failed("waiting for the broker, trying again", e.getCause() == null ? e : e.getCause());
                } catch (IOException | RuntimeException e) {
                    // A topic may be what is missing.
                    topicsThere = false;
                    failed("tables could not be opened, trying again", e);
                }
                closing.await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What fails because this ends, or while it does, is not tried again. */
    private void failed(String what, Throwable cause) {
        if (closing.getCount() > 0) {
            failures.warn(what, cause);
        }
    }

    private void follow() throws IOException, InterruptedException, ExecutionException {
        if (!topicsThere) {
            ensureTopics();
            topicsThere = true;
        }
        Path state = Files.createTempDirectory("observatory-gateway-");
        try (Tables tables = new Tables(kafka, state, changes, poison)) {
            opening = tables;
            if (closing.getCount() == 0) {
                return;
            }
            tables.open();
            open = tables;
            failures.over("tables restored");
            changes.statuses();
            awaitFirstList(tables);
            tables.openPairs();
            LOG.info("pair tables restored");
            while (closing.getCount() > 0 && !tables.failed()) {
                closing.await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
            }
        } finally {
            open = null;
            opening = null;
            delete(state);
        }
    }

    /** The pairs come after the first list, which is made by as many processors as there are. */
    private void awaitFirstList(Tables tables) throws InterruptedException {
        while (closing.getCount() > 0 && !tables.failed() && !firstList.isDone()) {
            closing.await(FIRST_LIST_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void ensureTopics() throws ExecutionException, InterruptedException {
        Map<String, Object> config = kafka.clientPreferring(Map.of(
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000));
        try (Admin admin = Admin.create(config)) {
            TopicCreation.Outcome topics = TopicCreation.ensure(admin, kafka.replicationFactor());
            List<String> missing = topics.missing(TableTopology.TOPICS);
            if (!missing.isEmpty()) {
                throw new IllegalStateException("topics " + missing + ", which this role may not create or not see");
            }
            topics.differing().forEach((topic, how) -> LOG.warn("topic={} differs=\"{}\"", topic, how));
        }
    }

    /** Ends tables that are still being opened; what it was given as {@code closing} ends the others. */
    public void close() {
        Tables tables = opening;
        if (tables != null) {
            tables.close();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (var paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
