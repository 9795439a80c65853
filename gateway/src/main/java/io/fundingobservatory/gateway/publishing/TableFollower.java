package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.runtime.KafkaAccess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills tables with one Kafka Streams client of global stores alone: it joins no group, and makes no directory. Waits for the broker and the
 * topics, opens the client, and opens another when it has failed. Every failure is retried each second for as long as this process runs, and
 * logged once until it changes. Examples are a name that does not resolve, a refused connection, or a missing topic.
 */
public final class TableFollower implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(TableFollower.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final long TRY_AGAIN_MS = 1_000;

    /** A partition is restored at a time; when tables are far behind, this much of all partitions is held in memory at most. */
    private static final int FETCH_BYTES = 4 << 20;

    @SuppressWarnings("deprecation") // it goes together with the default, of which it warns otherwise
    private static final String GLOBAL_HANDLER_ENABLED =
            StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG;

    private final String applicationId;
    private final String restored;
    private final List<Table<?>> tables;
    private final int recordsPerPoll;
    private final KafkaAccess kafka;
    private final MeterRegistry meters;
    private final CountDownLatch closing;
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private boolean topicsThere;
    private volatile State state = State.OPENING;
    private volatile Map<TopicPartition, Long> positions = Map.of();

    /** Whether the tables may be read. */
    enum State {
        /** They are being read for the first time, or again. */
        OPENING,
        /** They have everything that was committed before, and are followed. */
        OPEN,
        /** They cannot be read now. */
        FAILED
    }

    /**
     * Follows some tables.
     *
     * @param restored what is logged when they are open
     * @param meters publishes Kafka's own metrics of the clients
     * @param closing is counted down to end it; its thread is interrupted, since a client may be opened for minutes without a broker
     */
    TableFollower(
            String applicationId,
            String restored,
            List<Table<?>> tables,
            int recordsPerPoll,
            KafkaAccess kafka,
            MeterRegistry meters,
            CountDownLatch closing) {
        this.applicationId = applicationId;
        this.restored = restored;
        this.tables = tables;
        this.recordsPerPoll = recordsPerPoll;
        this.kafka = kafka;
        this.meters = meters;
        this.closing = closing;
    }

    State state() {
        return state;
    }

    /** Up to which offset, which is not in it, the records of each partition are in the tables. */
    Map<TopicPartition, Long> positions() {
        return positions;
    }

    private Properties properties() {
        var properties = new Properties();
        properties.putAll(kafka.client(Map.of()));
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        properties.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        properties.put(
                StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndContinueExceptionHandler.class);
        // Without it each start warns of a default to come. What fails in a table's thread ends its client as before.
        properties.put(GLOBAL_HANDLER_ENABLED, true);
        // Streams writes with transactions; what is not committed must not be shown.
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        properties.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        // Stores are restored one partition after another, each beginning with a question that waits behind the last
        // fetch: eight times before the first snapshot.
        properties.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 20);
        properties.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.FETCH_MAX_BYTES_CONFIG), FETCH_BYTES);
        properties.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), recordsPerPoll);
        // A broker that is away is tried again about once a second, so that the tables follow soon after its return.
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG), 1_000);
        return properties;
    }

    @Override
    public void run() {
        try {
            while (!isClosing()) {
                try {
                    if (!topicsThere) {
                        requireTopics();
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
            state = State.FAILED;
        }
    }

    private void follow() throws InterruptedException {
        var topology = new Topology();
        tables.forEach(table -> table.addTo(topology));
        var client = new KafkaStreams(topology, properties(), new Clients());
        client.setUncaughtExceptionHandler(failure -> {
            LOG.warn("tables failed and are opened again cause={}", failure.toString());
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        try {
            // Returns when everything that was committed before has been read.
            client.start();
            failures.over(restored);
            state = State.OPEN;
            try (var measured = new KafkaStreamsMetrics(client)) {
                measured.bindTo(meters);
                while (!isClosing() && client.state().isRunningOrRebalancing()) {
                    closing.await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
                }
            }
        } finally {
            state = State.OPENING;
            client.close(CLOSE_WITHIN);
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void requireTopics() throws ExecutionException, InterruptedException {
        Map<String, Object> config = kafka.clientPreferring(Map.of(
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000));
        try (Admin admin = Admin.create(config)) {
            Set<String> there = admin.listTopics().names().get();
            List<String> missing = tables.stream()
                    .map(Table::topic)
                    .filter(topic -> !there.contains(topic))
                    .toList();
            if (!missing.isEmpty()) {
                throw new IllegalStateException(
                        "topics " + missing
                                + " are missing, or this role may not see them; streams or observatory topics --create creates them");
            }
        }
    }

    /** The clients of a Kafka Streams that has global stores alone; the one that reads for them reports how far it has come. */
    private final class Clients extends DefaultKafkaClientSupplier {
        @Override
        public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
            return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
                @Override
                public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                    // What the last poll brought is in the tables when the thread polls again.
                    var reached = new HashMap<TopicPartition, Long>();
                    for (TopicPartition partition : assignment()) {
                        try {
                            reached.put(partition, position(partition, Duration.ZERO));
                        } catch (TimeoutException e) {
                            // Its leader has changed, and the position is being checked with the new one.
                        }
                    }
                    positions = Map.copyOf(reached);
                    return super.poll(timeout);
                }
            };
        }
    }
}
