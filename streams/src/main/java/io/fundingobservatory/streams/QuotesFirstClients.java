package io.fundingobservatory.streams;

import io.fundingobservatory.streams.processors.Stores;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of Kafka Streams, as it makes them itself, but for one: stores that quotes wait for are restored before those of the pair
 * tables, so that rows are fresh again after half of what has to be read.
 */
final class QuotesFirstClients implements KafkaClientSupplier {
    /** Less than this is read in one go beside the rest; a standby's stores are always that near. */
    private static final long FAR_BEHIND = 10_000;

    private static final Set<String> FIRST = Set.of(changelog(Stores.CONTRACTS), changelog(Stores.PAYMENTS));

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new QuotesFirstConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return getConsumer(config);
    }

    private static String changelog(String store) {
        return StreamsConfiguration.APPLICATION_ID + '-' + store + "-changelog";
    }

    private static boolean isFirst(TopicPartition changelog) {
        return FIRST.contains(changelog.topic());
    }

    private static final class QuotesFirstConsumer extends KafkaConsumer<byte[], byte[]> {
        QuotesFirstConsumer(Map<String, Object> config) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            Collection<TopicPartition> later = whatWaits();
            pause(later);
            try {
                return super.poll(timeout);
            } finally {
                resume(later);
            }
        }

        private Collection<TopicPartition> whatWaits() {
            var paused = paused();
            List<TopicPartition> read =
                    assignment().stream().filter(p -> !paused.contains(p)).toList();
            boolean farBehind = read.stream()
                    .filter(QuotesFirstClients::isFirst)
                    .anyMatch(p -> currentLag(p).orElse(Long.MAX_VALUE) > FAR_BEHIND);
            return farBehind
                    ? read.stream().filter(p -> !isFirst(p)).toList()
                    : List.of();
        }
    }
}
