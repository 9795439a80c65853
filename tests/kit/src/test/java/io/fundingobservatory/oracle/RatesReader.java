package io.fundingobservatory.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.topics.Topics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Gives the oracle everything that is on the topics: all quotes first, then the rows that are committed. */
public final class RatesReader implements AutoCloseable {
    private final RatesOracle oracle;
    private final String brokers;
    private final KafkaConsumer<byte[], byte[]> quotes;
    private final KafkaConsumer<byte[], byte[]> rows;
    private final Map<Long, Integer> seen = new HashMap<>();
    private final Map<Integer, Long> readUpTo = new HashMap<>();

    public RatesReader(String brokers, RatesOracle oracle) {
        this.brokers = brokers;
        this.oracle = oracle;
        this.quotes = consumer(brokers, Topics.QUOTES_RAW.name(), "read_uncommitted");
        this.rows = consumer(brokers, Topics.RATES_NORMALISED.name(), "read_committed");
    }

    /** A consumer of all partitions of a topic, at their beginning. */
    static KafkaConsumer<byte[], byte[]> consumer(String brokers, String topic, String isolation) {
        var consumer = new KafkaConsumer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", brokers, "isolation.level", isolation, "max.poll.records", 5_000),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
        return consumer;
    }

    /**
     * Reads on: rows up to what is committed now, and before them every quote that they can be of.
     *
     * @return how many rows are still to come
     */
    public long advance() {
        var committed = new TopicReader<>(rows);
        new TopicReader<>(quotes).toEnd(this::quote);
        committed.toEnd(record -> oracle.row(record.key(), record.value()));
        return oracle.waiting();
    }

    private void quote(ConsumerRecord<byte[], byte[]> record) {
        seen.put(Acknowledgements.position(record.partition(), record.offset()), Arrays.hashCode(record.value()));
        readUpTo.merge(record.partition(), record.offset(), Math::max);
        oracle.quote(record.key(), record.value());
    }

    /**
     * Takes out of the acknowledged records those that are there.
     *
     * @return positions of acknowledged records that are not on the topic, or where another record is now
     */
    public Set<Long> lostOf(Acknowledgements acknowledged) {
        Map<Long, Integer> waiting = acknowledged.byPosition();
        var lost = new HashSet<>(acknowledged.twice());
        waiting.forEach((position, hash) -> {
            int partition = (int) (position >>> 48);
            long offset = position & 0xffff_ffff_ffffL;
            if (hash.equals(seen.get(position))) {
                seen.remove(position);
                waiting.remove(position);
            } else if (readUpTo.getOrDefault(partition, -1L) >= offset || !seen.containsKey(position)) {
                lost.add(position);
            }
        });
        return lost;
    }

    /** The newest committed record of each key of a compacted topic; removed ones are not in it. */
    public Map<String, byte[]> newest(String topic) {
        var newest = new HashMap<String, byte[]>();
        for (var record : committed(brokers, topic)) {
            String key = new String(record.key(), UTF_8);
            if (record.value() == null) {
                newest.remove(key);
            } else {
                newest.put(key, record.value());
            }
        }
        return newest;
    }

    /** Every committed record that a topic has now. */
    public static List<ConsumerRecord<byte[], byte[]>> committed(String brokers, String topic) {
        var all = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        try (var consumer = consumer(brokers, topic, "read_committed")) {
            new TopicReader<>(consumer).toEnd(all::add);
        }
        return all;
    }

    @Override
    public void close() {
        quotes.close();
        rows.close();
    }
}
