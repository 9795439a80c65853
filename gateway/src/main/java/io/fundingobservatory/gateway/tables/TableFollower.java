package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicAudit;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.topics.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one client of tables open: waits for the broker and the topics, opens the client, and opens another
 * when it has failed. Every failure is retried each second for as long as this process runs, and logged once
 * until it changes. Examples are a name that does not resolve, a refused connection, or a missing topic.
 */
public final class TableFollower implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TableFollower.class);
    private static final long TRY_AGAIN_MS = 1_000;

    /**
     * Records per poll of pair tables. The records of a poll are in memory at once, unpacked. A table of one asset is up to
     * 8 MB; those of the largest assets are some 0.5 MB. During a backfill the topic holds each of them many
     * times. The default of 500 records was more than the heap.
     */
    private static final int PAIR_TABLES_OF_A_POLL = 8;

    private final Kind kind;
    private final KafkaAccess kafka;
    private final Changes changes;
    private final MeterRegistry meters;
    private final CountDownLatch closing;
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private boolean topicsThere;
    private volatile @Nullable TableClient opening;
    private volatile @Nullable Tables open;

    /** What is followed: each has a client of its own, for rates must not wait for pairs. */
    public enum Kind {
        /** Rates, statuses and qualities. */
        RATES("tables restored"),
        /** Pair tables. Where they fail, rates are followed as before. */
        PAIRS("pair tables restored");

        private final String restored;

        Kind(String restored) {
            this.restored = restored;
        }
    }

    /**
     * Follows one kind of tables.
     *
     * @param meters publishes Kafka's own metrics of the clients
     * @param closing is counted down to end it
     */
    public TableFollower(Kind kind, KafkaAccess kafka, Changes changes, MeterRegistry meters, CountDownLatch closing) {
        this.kind = kind;
        this.kafka = kafka;
        this.changes = changes;
        this.meters = meters;
        this.closing = closing;
    }

    /** The tables of rates; null while there are none to be read. */
    public @Nullable TableReader tables() {
        return open;
    }

    private List<String> topics() {
        return kind == Kind.RATES ? TableTopology.RATE_TOPICS : List.of(Topics.CARRY_PAIRS.name());
    }

    private TableClient client() {
        return kind == Kind.RATES
                ? new TableClient("observatory-gateway", kafka, TableTopology.rates(changes), Map.of())
                : new TableClient(
                        "observatory-gateway-pairs",
                        kafka,
                        TableTopology.pairs(changes),
                        Map.of(
                                StreamsConfig.globalConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG),
                                PAIR_TABLES_OF_A_POLL));
    }

    /** The client has read everything that was committed before. */
    private void opened(TableClient client) {
        failures.over(kind.restored);
        if (kind == Kind.RATES) {
            open = new Tables(kafka, client);
            changes.statuses();
        } else {
            changes.pairTables(Changes.PairTables.RESTORED);
        }
    }

    private void closed() {
        Tables tables = open;
        open = null;
        if (tables != null) {
            tables.close();
        }
    }

    @Override
    public void run() {
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
                closing.await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What fails because this ends, or while it does, is not tried again. */
    private void failed(String what, Throwable cause) {
        if (!isClosing()) {
            failures.warn(what, cause);
            if (kind == Kind.PAIRS) {
                changes.pairTables(Changes.PairTables.UNREADABLE);
            }
        }
    }

    private void follow() throws InterruptedException {
        try (TableClient client = client()) {
            opening = client;
            if (!isClosing()) {
                client.open();
                opened(client);
                try (var _ = client.bindTo(meters)) {
                    while (!isClosing() && !client.failed()) {
                        closing.await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
                    }
                }
            }
        } finally {
            opening = null;
            closed();
        }
    }

    /** Ends a client that is still being opened; {@code closing} ends the others. */
    @Override
    public void close() {
        TableClient client = opening;
        if (client != null) {
            client.close();
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void ensureTopics() throws ExecutionException, InterruptedException {
        Map<String, Object> config = kafka.clientPreferring(Map.of(
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000));
        List<String> topics = topics();
        try (Admin admin = Admin.create(config)) {
            TopicCreation.Outcome outcome = TopicCreation.ensure(admin, kafka.replicationFactor());
            List<String> missing = outcome.missing(topics);
            if (!missing.isEmpty()) {
                throw new IllegalStateException("topics " + missing + ", which this role may not create or not see");
            }
            TopicAudit audit = TopicAudit.of(admin, kafka.replicationFactor(), outcome);
            audit.differing().forEach((topic, how) -> {
                if (topics.contains(topic)) {
                    LOG.warn("topic differs from the catalogue topic={} difference=\"{}\"", topic, how);
                }
            });
        }
    }
}
