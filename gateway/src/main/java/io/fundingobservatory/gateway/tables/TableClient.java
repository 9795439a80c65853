package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.runtime.KafkaAccess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One Kafka Streams client of global stores in memory alone: it joins no group, and makes no directory. */
final class TableClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TableClient.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    /** A partition is restored at a time; when tables are far behind, this much of all partitions is held in memory at most. */
    private static final int FETCH_BYTES = 4 << 20;

    @SuppressWarnings("deprecation") // it goes together with the default, of which it warns otherwise
    private static final String GLOBAL_HANDLER_ENABLED =
            StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG;

    private final Clients clients = new Clients();
    private final KafkaStreams streams;

    TableClient(String applicationId, KafkaAccess kafka, Topology topology, Map<String, Object> settings) {
        streams = new KafkaStreams(topology, properties(applicationId, kafka, settings), clients);
        streams.setUncaughtExceptionHandler(failure -> {
            LOG.warn("tables failed and are opened again cause={}", failure.toString());
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    }

    private static Properties properties(String applicationId, KafkaAccess kafka, Map<String, Object> settings) {
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
        // A broker that is away is tried again about once a second, so that the tables follow soon after its return.
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG), 1_000);
        properties.putAll(settings);
        return properties;
    }

    /** Begins to follow; returns when everything that was committed before has been read. */
    void open() {
        streams.start();
    }

    /** Publishes Kafka's own metrics of the client until they are closed. */
    KafkaStreamsMetrics bindTo(MeterRegistry meters) {
        var bound = new KafkaStreamsMetrics(streams);
        bound.bindTo(meters);
        return bound;
    }

    /** Whether it has stopped for good and another has to be opened. */
    boolean failed() {
        return switch (streams.state()) {
            case ERROR, PENDING_ERROR, NOT_RUNNING, PENDING_SHUTDOWN -> true;
            case CREATED, REBALANCING, RUNNING -> false;
        };
    }

    /** Up to which offset, which is not in it, the records of each partition are in the stores. */
    Map<TopicPartition, Long> positions() {
        return clients.positions;
    }

    <T> T store(StoreQueryParameters<T> store) {
        return streams.store(store);
    }

    /** Stops following; an {@link #open} that still waits ends with an exception. */
    @Override
    public void close() {
        streams.close(CLOSE_WITHIN);
    }

    /** The clients of a Kafka Streams that has global stores alone; the one that reads for them reports how far it has come. */
    private static final class Clients extends DefaultKafkaClientSupplier {
        private volatile Map<TopicPartition, Long> positions = Map.of();

        @Override
        public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
            return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
                @Override
                public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                    // What the last poll brought is in the stores when the thread polls again.
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
