package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicAudit;
import io.fundingobservatory.runtime.TopicCreation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Keeps one client of tables open: waits for the broker and the topics, opens the client, and opens another
 * when it has failed. Every failure is retried each second for as long as this process runs, and logged once
 * until it changes. Examples are a name that does not resolve, a refused connection, or a missing topic.
 */
abstract class Follower implements Runnable, AutoCloseable {
    private static final long TRY_AGAIN_MS = 1_000;

    final Following following;
    final LoggedOnce failures;
    private final Logger log;
    private final List<String> topics;
    private boolean topicsThere;
    private volatile @Nullable TableClient opening;

    Follower(Following following, List<String> topics, Logger log) {
        this.following = following;
        this.topics = topics;
        this.log = log;
        this.failures = new LoggedOnce(log);
    }

    abstract TableClient client();

    /** Called each time that a client has read everything that was committed before. */
    abstract void opened(TableClient client);

    /** Called each time that a client is closed, whether it was opened or not. */
    void closed() {}

    /** Called each time that a client could not be opened. */
    void failed() {}

    @Override
    public final void run() {
        try {
            while (!isClosing()) {
                try {
                    if (!topicsThere) {
                        ensureTopics();
                        topicsThere = true;
                    }
                    follow();
                } catch (ExecutionException e) {
                    failed("waiting for the broker, trying again", e.getCause() == null ? e : e.getCause());
                } catch (RuntimeException e) {
                    // A topic may be what is missing.
                    topicsThere = false;
                    failed("tables could not be opened, trying again", e);
                }
                following.closing().await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What fails because this ends, or while it does, is not tried again. */
    private void failed(String what, Throwable cause) {
        if (!isClosing()) {
            failures.warn(what, cause);
            failed();
        }
    }

    private void follow() throws InterruptedException {
        try (TableClient client = client()) {
            opening = client;
            if (!isClosing()) {
                client.open();
                opened(client);
                try (var _ = client.bindTo(following.meters())) {
                    while (!isClosing() && !client.failed()) {
                        following.closing().await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
                    }
                }
            }
        } finally {
            opening = null;
            closed();
        }
    }

    /** Ends a client that is still being opened; {@link Following#closing} ends the others. */
    @Override
    public final void close() {
        TableClient client = opening;
        if (client != null) {
            client.close();
        }
    }

    private boolean isClosing() {
        return following.closing().getCount() == 0;
    }

    private void ensureTopics() throws ExecutionException, InterruptedException {
        KafkaAccess kafka = following.kafka();
        Map<String, Object> config = kafka.clientPreferring(Map.of(
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000));
        try (Admin admin = Admin.create(config)) {
            TopicCreation.Outcome outcome = TopicCreation.ensure(admin, kafka.replicationFactor());
            List<String> missing = outcome.missing(topics);
            if (!missing.isEmpty()) {
                throw new IllegalStateException("topics " + missing + ", which this role may not create or not see");
            }
            TopicAudit audit = TopicAudit.of(admin, kafka.replicationFactor(), outcome);
            audit.differing().forEach((topic, how) -> {
                if (topics.contains(topic)) {
                    log.warn("topic differs from the catalogue topic={} difference=\"{}\"", topic, how);
                }
            });
        }
    }
}
