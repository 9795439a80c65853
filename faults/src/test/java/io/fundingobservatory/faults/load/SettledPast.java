package io.fundingobservatory.faults.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.faults.load.Contracts.Contract;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * 32 days of published settlements of some contracts.
 *
 * @param charged by contract, then by the instant of the charge
 */
public record SettledPast(Map<String, TreeMap<Long, BigDecimal>> charged) {
    private static final long EIGHT_HOURS_MS = QuoteText.EIGHT_HOURS_MS;
    private static final int CHARGES = 32 * 3;
    private static final int MOST_TIMES = 5;

    /**
     * Draws settlements from a seed and publishes them, every fifth twice. It publishes again what brokers
     * refuse that have just elected their leaders.
     */
    public static SettledPast publish(String brokers, long seed) throws InterruptedException {
        var random = new Random(seed);
        var past = new SettledPast(new HashMap<>());
        var records = new ArrayList<ProducerRecord<byte[], byte[]>>();
        long now = System.currentTimeMillis();
        long newest = Math.floorDiv(now, EIGHT_HOURS_MS) * EIGHT_HOURS_MS;
        try (var producer = new KafkaProducer<>(
                // One request at a time, as QuoteLoad and for its reason.
                Map.<String, Object>of(
                        "bootstrap.servers",
                        brokers,
                        "acks",
                        "all",
                        "linger.ms",
                        5,
                        "max.in.flight.requests.per.connection",
                        1),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (Contract contract : Contracts.ledger()) {
                var charged = new TreeMap<Long, BigDecimal>();
                for (int i = CHARGES - 1; i >= 0; i--) {
                    long at = newest - i * EIGHT_HOURS_MS;
                    BigDecimal rate = BigDecimal.valueOf(random.nextInt(400_001) - 200_000L, 9 + random.nextInt(4));
                    charged.put(at, rate);
                    byte[] value = QuoteText.settled(contract, rate, at, now).getBytes(UTF_8);
                    for (int copy = 0; copy <= (i % 5 == 0 ? 1 : 0); copy++) {
                        records.add(new ProducerRecord<>(
                                Topics.SETTLEMENTS_RAW.name(), contract.key().getBytes(UTF_8), value));
                    }
                }
                past.charged.put(contract.key(), charged);
            }
            send(producer, records);
        }
        return past;
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
            throws InterruptedException {
        List<ProducerRecord<byte[], byte[]>> left = records;
        for (int times = 0; !left.isEmpty(); times++) {
            var sent = new IdentityHashMap<ProducerRecord<byte[], byte[]>, Future<RecordMetadata>>();
            left.forEach(record -> sent.put(record, producer.send(record)));
            var refused = new ArrayList<ProducerRecord<byte[], byte[]>>();
            for (var each : sent.entrySet()) {
                try {
                    each.getValue().get();
                } catch (ExecutionException e) {
                    if (times >= MOST_TIMES) {
                        throw new IllegalStateException("a settlement could not be published", e.getCause());
                    }
                    refused.add(each.getKey());
                }
            }
            left = refused;
        }
    }
}
