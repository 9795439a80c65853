package io.fundingobservatory.streams;

import io.fundingobservatory.topics.KafkaAccess;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.GroupProtocol;
import org.apache.kafka.streams.StreamsConfig;

/** What Kafka Streams is told, each line with its reason where that is not plain. */
final class StreamsConfiguration {
    static final String APPLICATION_ID = "observatory-streams";

    /** A dead letter is as large as what it is made of, and the broker takes up to this into that topic. */
    private static final int LARGEST_RECORD = 8 * 1024 * 1024;

    private StreamsConfiguration() {}

    static Properties of(StreamsSettings settings, KafkaAccess kafka) {
        var config = new Properties();
        config.putAll(kafka.client(Map.of()));
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION_ID);
        config.put(StreamsConfig.STATE_DIR_CONFIG, settings.stateDir());
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.threads());
        config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.standbyReplicas());
        config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int) kafka.replicationFactor());
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);

        // After a kill: 2 s with a static member of the classic protocol, 44 s without, 48 s with the streams protocol.
        config.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, GroupProtocol.CLASSIC.name());
        config.put(consumer(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), settings.instanceId());
        // A member that stays away loses its partitions after this; a restart is back earlier.
        config.put(consumer(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), (int)
                Duration.ofSeconds(10).toMillis());
        config.put(consumer(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), (int)
                Duration.ofSeconds(3).toMillis());
        config.put(consumer(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");

        config.put(producer(ProducerConfig.ACKS_CONFIG), "all");
        config.put(producer(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
        config.put(producer(ProducerConfig.LINGER_MS_CONFIG), 20);
        config.put(producer(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), LARGEST_RECORD);
        return config;
    }

    private static String consumer(String name) {
        return StreamsConfig.mainConsumerPrefix(name);
    }

    private static String producer(String name) {
        return StreamsConfig.producerPrefix(name);
    }
}
