package io.fundingobservatory.gateway.tables;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;

/** The clients of a Kafka Streams that has global stores alone; the one that reads for them says how far it has come. */
final class TableClients extends DefaultKafkaClientSupplier {
    private volatile Map<TopicPartition, Long> positions = Map.of();

    /** Up to which offset, which is not in it, the records of each partition are in the stores. */
    Map<TopicPartition, Long> positions() {
        return positions;
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return new GlobalConsumer(config);
    }

    /** What a poll brought is in the stores when the thread polls again. */
    private final class GlobalConsumer extends KafkaConsumer<byte[], byte[]> {
        private GlobalConsumer(Map<String, Object> config) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
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
    }
}
