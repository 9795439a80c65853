package io.fundingobservatory.faults.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.faults.load.Contracts.Contract;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * 32 days of published settlements of some contracts.
 *
 * @param charged by contract, then by the instant of the charge
 */
public record SettledPast(Map<String, TreeMap<Long, BigDecimal>> charged) {
    private static final long EIGHT_HOURS_MS = QuoteText.EIGHT_HOURS_MS;
    private static final int CHARGES = 32 * 3;

    /** Draws it from a seed and publishes it; every fifth charge is published twice. */
    public static SettledPast publish(String brokers, long seed) {
        var random = new Random(seed);
        var past = new SettledPast(new HashMap<>());
        long now = System.currentTimeMillis();
        long newest = Math.floorDiv(now, EIGHT_HOURS_MS) * EIGHT_HOURS_MS;
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", brokers, "acks", "all", "linger.ms", 5),
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
                        producer.send(new ProducerRecord<>(
                                Topics.SETTLEMENTS_RAW.name(), contract.key().getBytes(UTF_8), value));
                    }
                }
                past.charged.put(contract.key(), charged);
            }
            producer.flush();
        }
        return past;
    }
}
