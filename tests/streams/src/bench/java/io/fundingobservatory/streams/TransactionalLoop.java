package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.listings.Identity;
import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.listings.Observation;
import io.fundingobservatory.streams.normalisation.Normaliser;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What the topology is measured against: one thread that reads quotes, normalises them and writes rows, in transactions of the
 * topology's length. It keeps nothing and orders nothing.
 */
final class TransactionalLoop implements AutoCloseable {
    /** A topic for the contracts' states, of as many partitions as the topology's changelog of them. */
    static final String STATES = "loop-contracts";

    private static final List<Header> ROW = List.of(Topics.RATES_LATEST.schemaHeader());

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final boolean allThree;

    /**
     * A loop that begins at a given position.
     *
     * @param allThree whether it writes the row twice and a state, as the topology does; else the row once
     */
    TransactionalLoop(
            String bootstrapServers,
            Map<String, Object> producerSettings,
            String id,
            Map<TopicPartition, Long> from,
            boolean allThree) {
        this.allThree = allThree;
        consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "group.id",
                        "loop",
                        "enable.auto.commit",
                        false,
                        "isolation.level",
                        "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        var config = new HashMap<>(producerSettings);
        config.put("bootstrap.servers", bootstrapServers);
        config.put("transactional.id", id);
        producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        consumer.assign(MarketLoad.partitions(Topics.QUOTES_RAW));
        from.forEach(consumer::seek);
    }

    /** Works on so many quotes. */
    void run(int quotes) {
        int done = 0;
        while (done < quotes) {
            producer.beginTransaction();
            long commitAt = System.nanoTime() + StreamsConfiguration.COMMIT_EVERY.toNanos();
            while (System.nanoTime() < commitAt && done < quotes) {
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                    done += work(record) ? 1 : 0;
                }
            }
            var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
            for (TopicPartition partition : consumer.assignment()) {
                offsets.put(partition, new OffsetAndMetadata(consumer.position(partition)));
            }
            producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
            producer.commitTransaction();
        }
    }

    private boolean work(ConsumerRecord<byte[], byte[]> record) {
        Quote quote = Topics.QUOTES_RAW.deserializer().deserialize(record.topic(), record.value());
        if (!(Normaliser.normalise(quote) instanceof Normaliser.Accepted(Rate rate))) {
            return false;
        }
        byte[] key = rate.key().toString().getBytes(UTF_8);
        byte[] row = Rate.CODEC.encode(rate);
        send(new ProducerRecord<>(Topics.RATES_NORMALISED.name(), null, record.timestamp(), key, row, ROW));
        if (allThree) {
            send(new ProducerRecord<>(Topics.RATES_LATEST.name(), null, record.timestamp(), key, row, ROW));
            send(new ProducerRecord<>(STATES, null, record.timestamp(), key, state(quote, rate, record.timestamp())));
        }
        return true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // committing waits for all, and fails where one does
    private void send(ProducerRecord<byte[], byte[]> record) {
        producer.send(record);
    }

    private static byte[] state(Quote quote, Rate rate, long atMs) {
        Listing listing =
                Listing.first(0, Long.MIN_VALUE, Identity.of(quote.base(), rate), Observation.of(rate), 0, atMs);
        return Listing.CODEC.encode(listing);
    }

    @Override
    public void close() {
        consumer.close();
        producer.close();
    }
}
