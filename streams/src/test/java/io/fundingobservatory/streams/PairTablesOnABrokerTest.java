package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.ledger.Stores;
import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.kafka.KafkaAccess;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.Settlement;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of 30 days against a real broker: complete, equal to a plain sum, and the same bytes whatever is lost and read again. */
class PairTablesOnABrokerTest {
    private static final long HOUR = 3_600_000;
    private static final List<String> VENUES = List.of("binance", "okx", "bybit", "gate", "kucoin");
    private static final List<String> ASSETS = List.of("BTC", "ETH", "SOL");
    private static final int[] INTERVALS = {8, 4, 1, 8, 4};

    /** It publishes no settlements: all that is known of its payments stands in the ledger that was published before. */
    private static final String ESTIMATED = "bitget";

    private static final long ESTIMATED_EPOCH = 2;

    /** An instant of the last hours, half past: the window does not move on while the test runs. */
    private final long now = System.currentTimeMillis() / HOUR * HOUR - HOUR / 2;

    private final long end = Math.floorDiv(now - 600_000, HOUR) * HOUR;
    private final Map<ContractKey, TreeMap<Long, BigDecimal>> truth = new HashMap<>();
    private final Random random = new Random(7);
    private KafkaFixture kafka;
    private KafkaProducer<byte[], byte[]> producer;

    @TempDir
    Path directory;

    private Path state;

    @BeforeEach
    void open() throws Exception {
        kafka = KafkaFixture.start();
        state = directory.resolve("streams");
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterEach
    void close() {
        producer.close();
        kafka.close();
    }

    @Test
    void theSameBytesFromWipedStoresFromTheBeginningAndFromNothing() throws Exception {
        BrokerStamps.byTheTest(kafka);
        for (String asset : ASSETS) {
            ledger(asset, 8);
        }
        producer.flush();
        StreamsService service = start();
        for (String asset : ASSETS) {
            for (int i = 0; i < VENUES.size(); i++) {
                list(VENUES.get(i), asset, INTERVALS[i]);
            }
            quote(ESTIMATED, asset, 8);
        }
        producer.flush();
        await(() -> complete(tables()) == ASSETS.size() * 15, "every pair is complete");
        Map<String, byte[]> first = tables();
        for (byte[] table : first.values()) {
            CarryTable.CODEC.decode(table).pairs().forEach(this::check);
        }
        service.close();
        int settlements = count(Topics.SETTLEMENTS.name());
        int events = count(Topics.RATES_NORMALISED.name());

        // The stores are lost: they come back from their changelogs, and hold all that is needed for the next figure.
        delete(state);
        service = start();
        same(first, tables());
        BigDecimal before = pair(first, "BTC").fundingDifference();
        settle("binance", "BTC", end - 8 * HOUR, new BigDecimal("0.5"), now + 1_000);
        producer.flush();
        await(() -> !pair(tables(), "BTC").fundingDifference().equals(before), "a corrected settlement");
        Map<String, byte[]> corrected = tables();
        for (byte[] table : corrected.values()) {
            CarryTable.CODEC.decode(table).pairs().forEach(this::check);
        }
        assertArrayEquals(first.get("ETH"), corrected.get("ETH"), "another asset is not touched");
        service.close();
        settlements++;

        // The offsets are lost: everything is read again into stores that know it.
        var group = StreamsConfiguration.APPLICATION_ID;
        removeMembers(group);
        kafka.admin().deleteConsumerGroups(List.of(group)).all().get();
        service = start();
        await(() -> caughtUp(group), "everything read again");
        same(corrected, tables());
        service.close();
        assertEquals(settlements, count(Topics.SETTLEMENTS.name()), "no settlement twice");
        assertEquals(events, count(Topics.RATES_NORMALISED.name()), "no observation twice");

        // The changelogs are lost, or of another format; offsets and local files are there, and of no use.
        removeMembers(group);
        kafka.admin().deleteTopics(internal()).all().get();
        service = start();
        for (String asset : ASSETS) {
            // Before this poll nobody knows which contracts there are.
            for (int i = 0; i < VENUES.size(); i++) {
                quote(VENUES.get(i), asset, INTERVALS[i], now + 60_000);
            }
            quote(ESTIMATED, asset, 8, now + 60_000);
        }
        producer.flush();
        await(() -> caughtUp(group), "everything read again");
        await(() -> sameAs(corrected, tables()), "the same tables from the ledger's topics");
        service.close();
        assertEquals(settlements, count(Topics.SETTLEMENTS.name()), "no settlement twice");
        assertEquals(events + ASSETS.size() * 6, count(Topics.RATES_NORMALISED.name()), "no observation twice");

        // All that is the topology's own is lost, and only the topics are left.
        removeMembers(group);
        kafka.admin().deleteConsumerGroups(List.of(group)).all().get();
        kafka.admin().deleteTopics(internal()).all().get();
        delete(state);
        int published = count(Topics.CARRY_PAIRS.name());
        service = start();
        await(
                () -> count(Topics.CARRY_PAIRS.name()) >= published + ASSETS.size(),
                "tables made anew of the topics alone");
        await(() -> caughtUp(group), "everything read again");
        await(() -> sameAs(corrected, tables()), "the same tables");
        service.close();
        assertEquals(settlements, count(Topics.SETTLEMENTS.name()), "no settlement twice");
    }

    private List<String> internal() throws Exception {
        var internal = kafka.admin().listTopics().names().get().stream()
                .filter(name -> name.startsWith(StreamsConfiguration.APPLICATION_ID + "-"))
                .toList();
        assertEquals(Stores.ALL.size() + 2, internal.size(), internal::toString);
        return internal;
    }

    /** Payments of 31 days as an earlier run has published them. */
    private void ledger(String asset, int intervalH) {
        for (long at = end - 30 * 24 * HOUR - intervalH * HOUR; at <= end; at += intervalH * HOUR) {
            var settlement = new Settlement(
                    ESTIMATED,
                    asset + "-USDT",
                    ESTIMATED_EPOCH,
                    asset,
                    at,
                    at,
                    BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8),
                    Basis.ESTIMATE,
                    BigDecimal.valueOf(intervalH),
                    at - 30_000);
            truth.computeIfAbsent(settlement.key(), key -> new TreeMap<>()).put(at, settlement.fundingRate());
            send(Topics.SETTLEMENTS.name(), settlement.key(), Settlement.CODEC.encode(settlement), now);
        }
    }

    private void quote(String venue, String asset, int intervalH) {
        quote(venue, asset, intervalH, now);
    }

    private void quote(String venue, String asset, int intervalH, long atMs) {
        var quote = new Quote(
                venue,
                asset + "-USDT",
                asset,
                "USDT",
                ContractType.LINEAR,
                new BigDecimal("0.0001"),
                RateUnit.FRACTION,
                BigDecimal.valueOf(intervalH),
                RateKind.ESTIMATE,
                BigDecimal.valueOf(intervalH),
                IntervalSource.ROW,
                end + intervalH * HOUR,
                new BigDecimal("100"),
                null,
                null,
                atMs);
        send(Topics.QUOTES_RAW.name(), quote.key(), Quote.CODEC.encode(quote), atMs);
    }

    private void list(String venue, String asset, int intervalH) {
        quote(venue, asset, intervalH);
        for (long at = end - 30 * 24 * HOUR - intervalH * HOUR; at <= end; at += intervalH * HOUR) {
            settle(venue, asset, at, BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8), now);
        }
    }

    private void settle(String venue, String asset, long at, BigDecimal rate, long observedAtMs) {
        var settled = new SettledRate(
                venue, asset + "-USDT", at + 250, rate, RateUnit.FRACTION, null, null, null, observedAtMs);
        truth.computeIfAbsent(settled.key(), key -> new TreeMap<>()).put(at, rate);
        send(Topics.SETTLEMENTS_RAW.name(), settled.key(), SettledRate.CODEC.encode(settled), observedAtMs);
    }

    private void send(String topic, ContractKey key, byte[] value, long atMs) {
        var sent = producer.send(
                new ProducerRecord<>(topic, null, atMs, key.toString().getBytes(UTF_8), value));
        assertNotNull(sent);
    }

    private void check(CarryPair pair) {
        BigDecimal difference = sum(pair.shortLeg()).subtract(sum(pair.longLeg()));
        assertEquals(0, difference.compareTo(pair.fundingDifference()), pair::toString);
        assertTrue(difference.signum() >= 0);
        assertTrue(pair.complete());
    }

    private BigDecimal sum(CarryLeg leg) {
        var paid = truth.get(new ContractKey(leg.venue(), leg.symbol())).subMap(end - 720 * HOUR, false, end, true);
        BigDecimal sum = paid.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        assertEquals(0, sum.compareTo(leg.fundingSum()), leg::toString);
        assertEquals(paid.size(), leg.settlements());
        boolean estimated = leg.venue().equals(ESTIMATED);
        assertEquals(estimated ? paid.size() : 0, leg.estimated());
        assertEquals(estimated ? ESTIMATED_EPOCH : 0, leg.listingEpoch());
        return sum;
    }

    private static CarryPair pair(Map<String, byte[]> tables, String asset) {
        return decode(tables.get(asset)).pairs().stream()
                .filter(p -> List.of(p.longLeg().venue(), p.shortLeg().venue()).containsAll(List.of("binance", "okx")))
                .findFirst()
                .orElseThrow();
    }

    private static long complete(Map<String, byte[]> tables) {
        return tables.values().stream()
                .flatMap(table -> decode(table).pairs().stream())
                .filter(CarryPair::complete)
                .count();
    }

    private static CarryTable decode(byte[] table) {
        try {
            return CarryTable.CODEC.decode(table);
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    /** What a reader of the compacted topic has. */
    private Map<String, byte[]> tables() {
        var tables = new TreeMap<String, byte[]>();
        try (var records = new CommittedRecords(kafka.bootstrapServers(), Topics.CARRY_PAIRS.name())) {
            for (int known = -1; records.poll() > known; ) {
                known = records.records.size();
            }
            records.records.forEach(record -> tables.put(new String(record.key(), UTF_8), record.value()));
        }
        return tables;
    }

    private int count(String topic) {
        try (var records = new CommittedRecords(kafka.bootstrapServers(), topic)) {
            for (int known = -1; records.poll() > known; ) {
                known = records.records.size();
            }
            return records.records.size();
        }
    }

    private static void same(Map<String, byte[]> expected, Map<String, byte[]> actual) {
        assertEquals(expected.keySet(), actual.keySet());
        expected.forEach((asset, table) -> assertArrayEquals(table, actual.get(asset), asset));
    }

    private static boolean sameAs(Map<String, byte[]> expected, Map<String, byte[]> actual) {
        return expected.keySet().equals(actual.keySet())
                && expected.entrySet().stream()
                        .allMatch(table -> Arrays.equals(table.getValue(), actual.get(table.getKey())));
    }

    private boolean caughtUp(String group) {
        try {
            var committed = kafka.admin()
                    .listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
            var ends = new HashMap<TopicPartition, OffsetSpec>();
            for (var topic : List.of(Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW)) {
                for (int partition = 0; partition < topic.partitions(); partition++) {
                    ends.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
                }
            }
            return kafka.admin().listOffsets(ends).all().get().entrySet().stream()
                    .allMatch(last -> last.getValue().offset() == 0
                            || (committed.get(last.getKey()) != null
                                    && committed.get(last.getKey()).offset()
                                            >= last.getValue().offset()));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A static member that has left still counts as one until it is told off. */
    private void removeMembers(String group) throws Exception {
        kafka.admin()
                .removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                .all()
                .get();
    }

    private StreamsService start() {
        var service = new StreamsService(
                new StreamsSettings("test-1", state.toString(), 2, 0),
                KafkaAccess.at(kafka.bootstrapServers()),
                InstantSource.system(),
                new RefusalsCounted(new AtomicLong()));
        BrokerStamps.byTheBroker(kafka);
        service.start();
        await(service::isRunning, "running, but it is: " + service.state());
        // The broker's own stamp would move the window; here the test tells the time.
        BrokerStamps.byTheTest(kafka);
        return service;
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "not within 90 s: " + what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
