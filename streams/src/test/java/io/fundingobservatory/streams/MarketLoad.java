package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What the measurements send: quotes and 31 days of settlements of contracts on all venues, 30 contracts to
 * an asset. Of 32 contracts one pays each hour, 15 each 4 hours and 16 each 8 hours. It also measures how
 * much of it the topology has processed.
 */
final class MarketLoad implements AutoCloseable {
    private static final long HOUR = 3_600_000;
    private static final int CONTRACTS_AN_ASSET = 30;
    private static final List<Topic<?>> INPUTS = List.of(Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW);

    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Random random = new Random(3);
    private final Map<Integer, Integer> walks = new HashMap<>();

    MarketLoad(KafkaFixture kafka, Map<String, Object> producerSettings) {
        this.kafka = kafka;
        var config = new HashMap<>(producerSettings);
        config.put("bootstrap.servers", kafka.bootstrapServers());
        this.producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    static String asset(int contract) {
        return "A" + contract / CONTRACTS_AN_ASSET;
    }

    private static String venue(int contract) {
        return ListedVenue.ALL.get(contract % ListedVenue.ALL.size()).id();
    }

    private static String symbol(int contract) {
        return asset(contract) + "-" + contract % CONTRACTS_AN_ASSET;
    }

    private static int intervalH(int contract) {
        return contract % 32 == 0 ? 1 : contract % 2 == 0 ? 8 : 4;
    }

    private static long nextSettlement(int contract, long afterMs) {
        long interval = intervalH(contract) * HOUR;
        return (afterMs / interval + 1) * interval;
    }

    private Quote quote(int contract, long observedAtMs) {
        return new Quote(
                venue(contract),
                symbol(contract),
                asset(contract),
                "USDT",
                ContractType.LINEAR,
                null,
                null,
                rate(),
                RateUnit.FRACTION,
                BigDecimal.valueOf(intervalH(contract)),
                RateKind.ESTIMATE,
                BigDecimal.valueOf(intervalH(contract)),
                IntervalSource.ROW,
                nextSettlement(contract, observedAtMs),
                price(contract),
                price(contract),
                observedAtMs,
                observedAtMs);
    }

    /** Around 100; an asset's contracts move together, by some 0.1 % from poll to poll, which is 4 % in a day. */
    private BigDecimal price(int contract) {
        int asset = contract / CONTRACTS_AN_ASSET;
        if (contract % CONTRACTS_AN_ASSET == 0) {
            walks.merge(asset, random.nextInt(35) - 17, Integer::sum);
        }
        return BigDecimal.valueOf(1_000_000L + walks.getOrDefault(asset, 0) * 100L + random.nextInt(100), 4);
    }

    private BigDecimal rate() {
        return BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8);
    }

    /** One quote of each of so many contracts, all read at one instant. */
    void poll(int contracts, long observedAtMs) {
        for (int contract = 0; contract < contracts; contract++) {
            Quote quote = quote(contract, observedAtMs);
            send(Topics.QUOTES_RAW, quote.key().toString(), Quote.CODEC.encode(quote));
        }
        producer.flush();
    }

    /** Every payment of 31 days of so many contracts, each at multiples of its interval since 1970; how many they were. */
    long settlements(int contracts) {
        long now = System.currentTimeMillis();
        long sent = 0;
        for (int contract = 0; contract < contracts; contract++) {
            for (long at = nextSettlement(contract, now - 31 * 24 * HOUR);
                    at <= now;
                    at += intervalH(contract) * HOUR) {
                settle(contract, at, now);
                sent++;
            }
        }
        producer.flush();
        return sent;
    }

    /** The estimates of all these payments, as an earlier run has published them. */
    void estimates(int contracts) {
        long now = System.currentTimeMillis();
        for (int contract = 0; contract < contracts; contract++) {
            for (long at = nextSettlement(contract, now - 31 * 24 * HOUR);
                    at <= now;
                    at += intervalH(contract) * HOUR) {
                estimate(contract, at);
            }
        }
        producer.flush();
    }

    private void estimate(int contract, long settledMs) {
        var estimate = new Settlement(
                venue(contract),
                symbol(contract),
                0,
                asset(contract),
                settledMs,
                settledMs,
                rate(),
                Basis.ESTIMATE,
                BigDecimal.valueOf(intervalH(contract)),
                settledMs - 30_000);
        send(Topics.SETTLEMENTS, estimate.key().toString(), Settlement.CODEC.encode(estimate));
    }

    /** One payment; read later than another of the same instant it replaces that. */
    void settle(int contract, long settledMs, long observedAtMs) {
        var settled = new SettledRate(
                venue(contract),
                symbol(contract),
                settledMs,
                rate(),
                RateUnit.FRACTION,
                null,
                BigDecimal.valueOf(intervalH(contract)),
                null,
                observedAtMs);
        send(Topics.SETTLEMENTS_RAW, settled.key().toString(), SettledRate.CODEC.encode(settled));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // flushing waits for all, and a lost record would never be awaited
    private void send(Topic<?> topic, String key, byte[] value) {
        producer.send(new ProducerRecord<>(topic.name(), key.getBytes(UTF_8), value));
    }

    static List<TopicPartition> partitions(Topic<?> topic) {
        return IntStream.range(0, topic.partitions())
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList();
    }

    Map<TopicPartition, Long> ends(Stream<TopicPartition> partitions) throws ExecutionException, InterruptedException {
        var asked = new HashMap<TopicPartition, OffsetSpec>();
        partitions.forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        var ends = new HashMap<TopicPartition, Long>();
        kafka.admin().listOffsets(asked).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    /** Returns once the topology has committed the current contents of its input topics. */
    void awaitCaughtUp() throws ExecutionException, InterruptedException {
        var ends = ends(INPUTS.stream().flatMap(topic -> partitions(topic).stream()));
        while (!hasCommitted(ends)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private boolean hasCommitted(Map<TopicPartition, Long> ends) throws ExecutionException, InterruptedException {
        var committed = kafka.admin()
                .listConsumerGroupOffsets(Topics.STREAMS_GROUP)
                .partitionsToOffsetAndMetadata()
                .get();
        return ends.entrySet().stream().allMatch(end -> {
            var offset = committed.get(end.getKey());
            return end.getValue() == 0 || (offset != null && offset.offset() >= end.getValue());
        });
    }

    @Override
    public void close() {
        producer.close();
    }
}
