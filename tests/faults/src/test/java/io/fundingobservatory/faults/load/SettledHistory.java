package io.fundingobservatory.faults.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.faults.load.Contracts.Contract;
import io.fundingobservatory.oracle.KnownSettlements;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publishes 32 days of settlements of some contracts, and later corrections of them. */
public final class SettledHistory implements AutoCloseable {
    private static final long EIGHT_HOURS_MS = QuoteText.EIGHT_HOURS_MS;
    private static final int SETTLEMENTS = 32 * 3;
    private static final int MOST_TIMES = 5;
    private static final int AT_ONCE = 10_000;

    /** How many settlements ago the corrected one is: a day. */
    private static final int CORRECTED = 3;

    private final List<Contract> contracts;
    private final Random random;
    private final KnownSettlements published = new KnownSettlements();
    private final KafkaProducer<byte[], byte[]> producer;
    private final long newestMs;

    /**
     * Publishes nothing yet.
     *
     * @param contracts that settle every 8 hours
     */
    public SettledHistory(String brokers, long seed, List<Contract> contracts) {
        this.contracts = contracts;
        this.random = new Random(seed);
        this.newestMs = Math.floorDiv(System.currentTimeMillis(), EIGHT_HOURS_MS) * EIGHT_HOURS_MS;
        this.producer = new KafkaProducer<>(
                // One request at a time, as QuoteLoad and for its reason.
                Map.<String, Object>of(
                        "bootstrap.servers",
                        brokers,
                        "acks",
                        "all",
                        "linger.ms",
                        5,
                        "compression.type",
                        "lz4",
                        "max.in.flight.requests.per.connection",
                        1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /**
     * Publishes all settlements, every fifth twice. It publishes again what brokers refuse that have just elected
     * their leaders.
     */
    public SettledHistory publish() throws InterruptedException {
        var records = new ArrayList<ProducerRecord<byte[], byte[]>>();
        long now = System.currentTimeMillis();
        for (Contract contract : contracts) {
            for (int i = SETTLEMENTS - 1; i >= 0; i--) {
                ProducerRecord<byte[], byte[]> record = settled(contract, newestMs - i * EIGHT_HOURS_MS, now);
                records.add(record);
                if (i % 5 == 0) {
                    records.add(new ProducerRecord<>(record.topic(), record.key(), record.value()));
                }
            }
            if (records.size() >= AT_ONCE) {
                send(records);
                records.clear();
            }
        }
        send(records);
        return this;
    }

    /**
     * Publishes another rate for a settlement of yesterday of one contract.
     *
     * @return the asset whose table it changes
     */
    public String correct() throws InterruptedException {
        Contract contract = contracts.get(random.nextInt(contracts.size()));
        send(List.of(settled(contract, newestMs - CORRECTED * EIGHT_HOURS_MS, System.currentTimeMillis())));
        return contract.asset().name();
    }

    /** What has been published. */
    public KnownSettlements published() {
        return published;
    }

    private ProducerRecord<byte[], byte[]> settled(Contract contract, long settledMs, long observedAtMs) {
        BigDecimal rate = BigDecimal.valueOf(random.nextInt(400_001) - 200_000L, 9 + random.nextInt(4));
        published.put(
                new KnownSettlements.Listing(contract.venue(), contract.symbol(), 0),
                settledMs,
                new KnownSettlements.Settlement(rate, "settled", BigDecimal.valueOf(8)));
        return new ProducerRecord<>(
                Topics.SETTLEMENTS_RAW.name(),
                contract.key().getBytes(UTF_8),
                QuoteText.settled(contract, rate, settledMs, observedAtMs).getBytes(UTF_8));
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records) throws InterruptedException {
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

    @Override
    public void close() {
        producer.close(java.time.Duration.ofSeconds(1));
    }
}
