package io.fundingobservatory.streams;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
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
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What the measurements send: quotes and 31 days of settlements of contracts on all venues, 30 contracts to
 * an asset. Of 32 contracts one pays each hour, 15 each 4 hours and 16 each 8 hours. It also measures how
 * much of it the topology has processed.
 */
final class MarketLoad implements AutoCloseable {
    private static final long HOUR = 3_600_000;
    private static final int CONTRACTS_AN_ASSET = 30;

    /** Decimals of a corrected rate; all others have fewer. */
    private static final int MARKED = 12;

    private static final long MARKS = 10_000;

    private final String bootstrapServers;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Random random = new Random(3);
    private final Map<Integer, Integer> walks = new HashMap<>();

    /** Contracts settle at multiples of their interval, counted from this whole hour on, epoch ms: all of them at the next one. */
    private final long phaseMs = (System.currentTimeMillis() / HOUR + 1) * HOUR;

    MarketLoad(String bootstrapServers, Map<String, Object> producerSettings) {
        this.bootstrapServers = bootstrapServers;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        var config = new HashMap<>(producerSettings);
        config.put("bootstrap.servers", bootstrapServers);
        this.producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    static String asset(int contract) {
        return "A" + contract / CONTRACTS_AN_ASSET;
    }

    /** {@code venue|symbol}. */
    static String key(int contract) {
        return venue(contract) + '|' + symbol(contract);
    }

    String bootstrapServers() {
        return bootstrapServers;
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

    private long nextSettlement(int contract, long afterMs) {
        long interval = intervalH(contract) * HOUR;
        return phaseMs + (Math.floorDiv(afterMs - phaseMs, interval) + 1) * interval;
    }

    private Quote quote(int contract, long observedAtMs) {
        return SampleRecords.quote(
                fields("venue", venue(contract), "symbol", symbol(contract), "base", asset(contract), "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null, "rate", rate()),
                fields("rate_unit", RateUnit.FRACTION, "rate_hours", BigDecimal.valueOf(intervalH(contract))),
                fields("rate_kind", RateKind.ESTIMATE, "interval_h", BigDecimal.valueOf(intervalH(contract))),
                fields("interval_source", IntervalSource.ROW),
                fields("next_funding_ms", nextSettlement(contract, observedAtMs), "mark_price", price(contract)),
                fields("index_price", price(contract), "venue_time_ms", observedAtMs, "observed_at_ms", observedAtMs));
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

    /** One quote of each of so many contracts, all read at one instant, with which they are stamped where brokers do not stamp. */
    void poll(int contracts, long observedAtMs) {
        for (int contract = 0; contract < contracts; contract++) {
            Quote quote = quote(contract, observedAtMs);
            send(Topics.QUOTES_RAW, quote.key().toString(), Quote.CODEC.encode(quote), observedAtMs);
        }
        producer.flush();
    }

    /** One quote; the callback is called once brokers have acknowledged it. */
    @SuppressWarnings("FutureReturnValueIgnored") // a lost record is one without an acknowledgement
    void quote(int contract, long observedAtMs, Runnable acknowledged) {
        Quote quote = quote(contract, observedAtMs);
        var record = new ProducerRecord<>(
                Topics.QUOTES_RAW.name(), quote.key().toString().getBytes(UTF_8), Quote.CODEC.encode(quote));
        producer.send(record, (at, failure) -> {
            if (failure == null) {
                acknowledged.run();
            }
        });
    }

    /** The last settlement of a contract up to an instant, as its venue publishes it, epoch ms. */
    void settleLast(int contract, long beforeMs) {
        settled(contract, nextSettlement(contract, beforeMs) - intervalH(contract) * HOUR, rate(), beforeMs);
    }

    /**
     * Corrects the settlement of a day ago.
     *
     * @param mark by which {@link #isMarked} finds it in the asset's table
     */
    void correct(int contract, int mark, long nowMs) {
        BigDecimal rate = BigDecimal.valueOf((random.nextInt(40_001) - 20_000) * MARKS + mark, MARKED);
        settled(contract, nextSettlement(contract, nowMs - 24 * HOUR), rate, nowMs);
    }

    /** Whether a table contains the correction of a mark. */
    static boolean isMarked(byte[] table, int mark) {
        return Topics.CARRY_PAIRS.deserializer().deserialize(Topics.CARRY_PAIRS.name(), table).legs().stream()
                .flatMap(leg -> leg.dailySums().list().stream())
                .anyMatch(day -> day.scale() == MARKED
                        && Math.floorMod(day.unscaledValue().longValueExact(), MARKS) == mark);
    }

    /** Every settlement of 31 days of so many contracts; how many they were. */
    long settlements(int contracts) {
        long now = System.currentTimeMillis();
        long sent = 0;
        for (int contract = 0; contract < contracts; contract++) {
            for (long at = nextSettlement(contract, now - 31 * 24 * HOUR);
                    at <= now;
                    at += intervalH(contract) * HOUR) {
                settled(contract, at, rate(), now);
                sent++;
            }
        }
        producer.flush();
        return sent;
    }

    /** One settlement; read later than another of the same instant it replaces that. */
    private void settled(int contract, long settledMs, BigDecimal rate, long observedAtMs) {
        var settled = new SettledRate(
                venue(contract),
                symbol(contract),
                settledMs,
                rate,
                RateUnit.FRACTION,
                null,
                BigDecimal.valueOf(intervalH(contract)),
                null,
                observedAtMs);
        send(Topics.SETTLEMENTS_RAW, settled.key().toString(), SettledRate.CODEC.encode(settled), observedAtMs);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // flushing waits for all, and a lost record would never be awaited
    private void send(Topic<?> topic, String key, byte[] value, long stampMs) {
        producer.send(new ProducerRecord<>(topic.name(), null, stampMs, key.getBytes(UTF_8), value));
    }

    void flush() {
        producer.flush();
    }

    static List<TopicPartition> partitions(Topic<?> topic) {
        return IntStream.range(0, topic.partitions())
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList();
    }

    Map<TopicPartition, Long> ends(Stream<TopicPartition> partitions) throws ExecutionException, InterruptedException {
        var offsets = new HashMap<TopicPartition, OffsetSpec>();
        partitions.forEach(partition -> offsets.put(partition, OffsetSpec.latest()));
        var ends = new HashMap<TopicPartition, Long>();
        admin.listOffsets(offsets).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    /** Returns once both applications have committed the current contents of their input topics. */
    void awaitCaughtUp() throws ExecutionException, InterruptedException {
        awaitCommitted(Topics.STREAMS_GROUP, List.of(Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW));
        awaitCommitted(Topics.PAIRS_GROUP, List.of(Topics.CONTRACT_EVENTS));
    }

    private void awaitCommitted(String group, List<Topic<?>> inputs) throws ExecutionException, InterruptedException {
        var ends = ends(inputs.stream().flatMap(topic -> partitions(topic).stream()));
        while (!hasCommitted(group, ends)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private boolean hasCommitted(String group, Map<TopicPartition, Long> ends)
            throws ExecutionException, InterruptedException {
        var committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        return ends.entrySet().stream().allMatch(end -> {
            var offset = committed.get(end.getKey());
            return end.getValue() == 0 || (offset != null && offset.offset() >= end.getValue());
        });
    }

    /** Read committed, at the end of a topic. */
    static KafkaConsumer<byte[], byte[]> atTheEnd(String bootstrapServers, Topic<?> topic) {
        var consumer = new KafkaConsumer<>(
                Map.<String, Object>of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(partitions(topic));
        consumer.seekToEnd(consumer.assignment());
        consumer.assignment().forEach(consumer::position);
        return consumer;
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}
