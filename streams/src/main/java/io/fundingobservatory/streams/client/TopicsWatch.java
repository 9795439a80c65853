package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.AdminResponses;
import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.streams.core.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every five seconds whether the brokers still have the topics that the topology reads and writes. It
 * also checks whether a transaction blocks one of them ({@link BlockedPartitions}). A producer waits for a
 * deleted topic without end and without an error. So it is created again, as far as this role may. A request
 * without a response changes nothing about any topic.
 *
 * <p>A deleted changelog ends the process: Kafka Streams would empty the store and create the topic again, empty, some
 * twenty seconds later. A start that finds it missing rebuilds the ledger ({@link LedgerRebuild}).
 */
public final class TopicsWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicsWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final int TIMEOUT_MS = 4_000;

    private final Admin admin;
    private final short replicationFactor;
    private final List<String> topics;
    private final List<String> changelogs;
    private final Consumer<String> failed;
    private final BlockedPartitions transactions;
    private final Map<String, Uuid> knownChangelogs = new ConcurrentHashMap<>();
    private final Set<String> goneAtLastCheck = new HashSet<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile List<String> missing = List.of();

    private TopicsWatch(
            KafkaAccess kafka,
            List<String> topics,
            List<Application> applications,
            Duration transactionTimeout,
            Consumer<String> failed) {
        this.replicationFactor = kafka.replicationFactor();
        this.topics = topics;
        this.changelogs = applications.stream()
                .flatMap(application -> application.changelogs().stream())
                .toList();
        this.failed = failed;
        this.admin = Admin.create(kafka.client(Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS)));
        this.transactions = new BlockedPartitions(admin, topics, applications, transactionTimeout, System::nanoTime);
    }

    /**
     * Starts a watch.
     *
     * @param topics those in addition to the applications' internal ones
     * @param transactionTimeout after which brokers abort a transaction
     * @param failed receives one line when a changelog was deleted
     */
    public static TopicsWatch start(
            KafkaAccess kafka,
            List<String> topics,
            List<Application> applications,
            Duration transactionTimeout,
            Consumer<String> failed) {
        var watch = new TopicsWatch(kafka, topics, applications, transactionTimeout, failed);
        Thread.ofVirtual().name("topics-watch").start(watch::run);
        return watch;
    }

    /** The topics that were missing at the last check. */
    public List<String> missing() {
        return missing;
    }

    /** Partitions on which a transaction was open for too long at the last check. */
    public List<String> blocked() {
        return transactions.blocked();
    }

    /** How many changelogs have been seen. */
    int knownChangelogs() {
        return knownChangelogs.size();
    }

    private void run() {
        try {
            while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                check();
                checkChangelogs();
                transactions.compare();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check() throws InterruptedException {
        var found = new ArrayList<String>();
        for (var topic : admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
                topic.getValue().get();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    return;
                }
                found.add(topic.getKey());
            }
        }
        found.sort(null);
        if (!found.equals(missing)) {
            if (found.isEmpty()) {
                LOG.info("topics are there again topics={}", missing);
            } else {
                LOG.warn("topics are missing topics={}", found);
            }
            missing = List.copyOf(found);
        }
        if (!found.isEmpty()) {
            createAgain();
        }
    }

    private void createAgain() throws InterruptedException {
        try {
            List<String> created =
                    TopicCreation.ensure(admin, replicationFactor).created();
            if (!created.isEmpty()) {
                LOG.info("topics are created topics={}", created);
            }
        } catch (ExecutionException e) {
            LOG.debug("topics cannot be created yet cause={}", InnermostCause.typed(e));
        }
    }

    /** A changelog has to be gone twice: a broker that lags behind does not have it for a moment. */
    private void checkChangelogs() throws InterruptedException {
        Map<String, TopicDescription> found;
        try {
            found = AdminResponses.describe(admin, changelogs);
        } catch (ExecutionException e) {
            return;
        }
        for (String changelog : changelogs) {
            TopicDescription topic = found.get(changelog);
            Uuid known = topic == null
                    ? knownChangelogs.get(changelog)
                    : knownChangelogs.putIfAbsent(changelog, topic.topicId());
            boolean gone = known != null && (topic == null || !known.equals(topic.topicId()));
            if (!gone) {
                goneAtLastCheck.remove(changelog);
            } else if (!goneAtLastCheck.add(changelog)) {
                failed.accept("changelog " + changelog + " was deleted; a start rebuilds the stores");
            }
        }
    }

    @Override
    public void close() {
        closing.countDown();
        admin.close(Duration.ZERO);
    }
}
