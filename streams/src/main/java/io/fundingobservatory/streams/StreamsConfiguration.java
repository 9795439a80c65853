package io.fundingobservatory.streams;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.streams.lifecycle.Application;
import io.fundingobservatory.streams.processing.UnforeseenFailures;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.GroupProtocol;
import org.apache.kafka.streams.StreamsConfig;

/** Configuration of Kafka Streams; each line has its reason where that is not plain. */
final class StreamsConfiguration {
    /** Half of it on average is what a row waits before others can read it. */
    static final Duration COMMIT_EVERY = Duration.ofMillis(200);

    /** Pair tables are of the last whole hour: a second more changes nothing for their readers. */
    static final Duration PAIRS_COMMIT_EVERY = Duration.ofSeconds(1);

    /** The least that brokers allow by default. A standby that takes over waits for the session and for the transaction. */
    private static final Duration TAKEN_OVER_AFTER = Duration.ofSeconds(6);

    /** Without a standby nobody takes over, and a fence costs all local state: longer than any pause of the machine. */
    private static final Duration SESSION_ALONE = Duration.ofSeconds(45);

    /** Longer than the 9 s until a broker that was killed is fenced and its partitions have another leader. */
    private static final Duration TRANSACTION_ALONE = Duration.ofSeconds(20);

    static final String COMPRESSION = "zstd";

    /** Of the ledger's store: what arrives of a history within one commit interval. */
    private static final long RECORD_CACHE_BYTES = 16L << 20;

    /**
     * A thread processes what it has fetched of one partition before it polls again. Compressed, settled rates
     * take some 25 bytes, so the default of 1 MB would be 40,000 of them, and quotes would wait.
     */
    private static final int FETCHED_OF_A_PARTITION = 32 << 10;

    @SuppressWarnings("deprecation") // it silences the warning about the default
    private static final String GLOBAL_HANDLER_ENABLED =
            StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG;

    private StreamsConfiguration() {}

    /** How long an instance may be silent before it loses its partitions. */
    static Duration session(StreamsSettings settings) {
        return settings.standbyReplicas() > 0 ? TAKEN_OVER_AFTER : SESSION_ALONE;
    }

    /** After which brokers abort an open transaction. */
    static Duration transaction(StreamsSettings settings) {
        return settings.standbyReplicas() > 0 ? TAKEN_OVER_AFTER : TRANSACTION_ALONE;
    }

    /**
     * The configuration of {@code rates}: no store on disk, and a commit five times a second.
     *
     * @param copies of each internal topic, as far as it is known
     */
    static Properties rates(StreamsSettings settings, KafkaAccess kafka, short copies) {
        Properties config = of(Application.RATES, settings, kafka, copies);
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.threads());
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_EVERY.toMillis());
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        return config;
    }

    /**
     * The configuration of {@code pairs}: the ledger on disk, and a commit every second.
     *
     * @param copies of each internal topic, as far as it is known
     */
    static Properties pairs(StreamsSettings settings, KafkaAccess kafka, short copies) {
        Properties config = of(Application.PAIRS, settings, kafka, copies);
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.pairsThreads());
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, PAIRS_COMMIT_EVERY.toMillis());
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, RECORD_CACHE_BYTES);
        config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
        return config;
    }

    private static Properties of(Application application, StreamsSettings settings, KafkaAccess kafka, short copies) {
        var config = new Properties();
        config.putAll(kafka.client(Map.of()));
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, application.id());
        config.put(StreamsConfig.STATE_DIR_CONFIG, settings.stateDir());
        config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.standbyReplicas());
        config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int) kafka.replicationFactor());
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, UnforeseenFailures.class);
        // There is no global thread here; without this line each start warns of a default to come.
        config.put(GLOBAL_HANDLER_ENABLED, true);
        // The assignor makes a configuration of its own from the consumer's.
        config.put(StreamsConfig.mainConsumerPrefix(GLOBAL_HANDLER_ENABLED), true);
        // No input waits for another one: whether it must is checked for each record, at the cost of a formatted text.
        config.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        // A returned instance gets its tasks back within a minute of having caught up, not within ten.
        config.put(
                StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG,
                Duration.ofMinutes(1).toMillis());

        // A changelog is read whole at a restart: its segments are closed every ten minutes, and cleaned at once.
        internal(config, TopicConfig.SEGMENT_MS_CONFIG, Duration.ofMinutes(10).toMillis());
        internal(config, TopicConfig.SEGMENT_BYTES_CONFIG, 16 << 20);
        internal(config, TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, 0.1);
        internal(
                config,
                TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG,
                Duration.ofMinutes(30).toMillis());
        // They are stamped with the time of inputs and of punctuation; a wrong clock must not stop the service.
        internal(config, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, Long.MAX_VALUE);
        internal(config, TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, Long.MAX_VALUE);
        TopicCreation.writesToAtLeast(copies).forEach((key, value) -> internal(config, key, value));

        // After a kill: 2 s with a static member of the classic protocol, 44 s without, 48 s with the streams protocol.
        config.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, GroupProtocol.CLASSIC.name());
        config.put(consumer(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), settings.instanceId());
        config.put(consumer(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), (int)
                session(settings).toMillis());
        // How soon the others notice that they take over.
        config.put(consumer(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), (int)
                Duration.ofSeconds(1).toMillis());
        config.put(consumer(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");

        config.put(consumer(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG), FETCHED_OF_A_PARTITION);

        config.put(producer(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), (int)
                transaction(settings).toMillis());
        // As the event topics are kept, so that brokers need not compress again; half of what lz4 leaves.
        config.put(producer(ProducerConfig.COMPRESSION_TYPE_CONFIG), COMPRESSION);
        // A transaction begins while the markers of the one before are written. Until then brokers refuse the
        // first batch of each partition; batches sent behind it would arrive out of sequence and be refused
        // as well. So one request at a time, and tried again at once.
        config.put(producer(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION), 1);
        config.put(producer(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 10L);
        config.put(producer(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), Topics.LARGEST_RECORD);
        return config;
    }

    private static void internal(Properties config, String name, Object value) {
        config.put(StreamsConfig.topicPrefix(name), value.toString());
    }

    private static String consumer(String name) {
        return StreamsConfig.mainConsumerPrefix(name);
    }

    private static String producer(String name) {
        return StreamsConfig.producerPrefix(name);
    }
}
