package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.core.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every five seconds whether the brokers still have the topics that the topology reads and writes. It
 * also checks whether a transaction blocks one of them ({@link BlockedPartitions}). A producer waits for a
 * deleted topic up to two minutes, without an error. A request without a response changes nothing
 * about any topic.
 */
public final class TopicsWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicsWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final int TIMEOUT_MS = 4_000;

    private final Admin admin;
    private final List<String> topics;
    private final BlockedPartitions transactions;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile List<String> missing = List.of();

    private TopicsWatch(
            KafkaAccess kafka, List<String> topics, List<Application> applications, Duration transactionTimeout) {
        this.topics = topics;
        this.admin = Admin.create(kafka.client(Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS)));
        this.transactions = new BlockedPartitions(admin, topics, applications, transactionTimeout, System::nanoTime);
    }

    /** {@code topics} are those in addition to the applications' internal ones; brokers abort a transaction after the timeout. */
    public static TopicsWatch start(
            KafkaAccess kafka, List<String> topics, List<Application> applications, Duration transactionTimeout) {
        var watch = new TopicsWatch(kafka, topics, applications, transactionTimeout);
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

    private void run() {
        try {
            while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                check();
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
    }

    @Override
    public void close() {
        closing.countDown();
        admin.close(Duration.ZERO);
    }
}
