package io.fundingobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A clock is wrong, of the process or of a broker: rows stay, and the 30 days are those that truly end now. */
class ClocksOnABrokerTest {
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;
    private static final List<String> VENUES =
            List.of("binance", "okx", "bybit", "gate", "kucoin", "bitget", "mexc", "htx", "bingx", "aster");

    /** Longer than the five seconds after which rows are looked through. */
    private static final Duration WATCHED = Duration.ofSeconds(7);

    private static KafkaFixture kafka;
    private static KafkaProducer<byte[], byte[]> producer;

    @TempDir
    static Path state;

    @BeforeAll
    static void open() {
        kafka = KafkaFixture.start();
        producer = new KafkaProducer<>(
                java.util.Map.of("bootstrap.servers", kafka.bootstrapServers(), "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void close() {
        producer.close();
        kafka.close();
    }

    /** The month ahead, which a broker's own limits would refuse; all three with {@code -Dobservatory.clocks=all}. */
    static List<Duration> wrong() {
        return "all".equals(System.getProperty("observatory.clocks"))
                ? List.of(Duration.ofHours(1), Duration.ofHours(-1), Duration.ofDays(30))
                : List.of(Duration.ofDays(30));
    }

    /** Kafka Streams stamps what a tick writes with this clock, waits for it and measures by it. */
    @ParameterizedTest
    @MethodSource("wrong")
    void aProcessWhoseClockIsWrong(Duration by) {
        BrokerStamps.byTheBroker(kafka);
        try (var service = start(() -> Instant.now().plus(by))) {
            watch(service, "CLOCK" + by.toHours(), -1);
        }
    }

    /** A third of the partitions is led by a broker whose clock is two days ahead, and the first record is of one of them. */
    @Test
    void partitionLeadersTwoDaysAhead() {
        BrokerStamps.byTheBroker(kafka);
        try (var service = start(InstantSource.system());
                var rows = new CommittedRecords(kafka.bootstrapServers(), Topics.RATES_LATEST.name())) {
            BrokerStamps.ofRawByTheTest(kafka);
            Quote first = quote("binance", "LEADER", hourBefore());
            send(Topics.QUOTES_RAW.name(), first.key().toString(), Quote.CODEC.encode(first), 3);
            await(() -> count(rows, "LEADER") == 1, "the first row");
            watch(service, "LEADER", 3);
        }
    }

    /**
     * Two full ledgers and quotes of all contracts for a while.
     *
     * @param aheadEvery each how many partitions the stamps are two days ahead; negative for none
     */
    private void watch(StreamsService service, String asset, int aheadEvery) {
        long t = hourBefore();
        for (String venue : VENUES) {
            for (long at = t - 30 * DAY - 8 * HOUR; at <= t; at += 8 * HOUR) {
                var settled = new SettledRate(
                        venue, asset, at, new BigDecimal("0.0001"), RateUnit.FRACTION, null, null, null, at + 60_000);
                send(
                        Topics.SETTLEMENTS_RAW.name(),
                        settled.key().toString(),
                        SettledRate.CODEC.encode(settled),
                        aheadEvery);
            }
        }
        try (var rows = new CommittedRecords(kafka.bootstrapServers(), Topics.RATES_LATEST.name());
                var tables = new CommittedRecords(kafka.bootstrapServers(), Topics.CARRY_PAIRS.name())) {
            long until = System.nanoTime() + WATCHED.toNanos();
            long polls = 0;
            while (System.nanoTime() < until || newest(tables, asset) == null || !complete(newest(tables, asset))) {
                assertTrue(
                        System.nanoTime() < until + Duration.ofMinutes(5).toNanos(), "no complete table of " + asset);
                polls++;
                for (String venue : VENUES) {
                    Quote quote = quote(venue, asset, t);
                    send(Topics.QUOTES_RAW.name(), quote.key().toString(), Quote.CODEC.encode(quote), aheadEvery);
                }
                producer.flush();
                long expected = polls * VENUES.size();
                await(
                        () -> count(rows, asset) >= expected,
                        "the rows of poll " + expected + ", it is " + service.state());
                tables.poll();
            }
            rows.quiet();
            assertTrue(
                    rows.records.stream().filter(row -> isOf(row.key(), asset)).allMatch(row -> row.value() != null),
                    "no row was removed");
            tables.records.stream().filter(table -> isAsset(table.key(), asset)).forEach(table -> {
                long end = decode(table.value()).windowEndMs();
                assertTrue(end == t || end == t + HOUR, "the window ends now, not at " + Instant.ofEpochMilli(end));
            });
            await(service::isRunning, "running at the end, but it is: " + service.state());
        }
    }

    private static long hourBefore() {
        return Math.floorDiv(System.currentTimeMillis() - 600_000, HOUR) * HOUR;
    }

    private static boolean complete(CarryTable table) {
        return table.pairs().size() == VENUES.size() * (VENUES.size() - 1) / 2
                && table.pairs().stream().allMatch(pair -> pair.complete());
    }

    private static CarryTable newest(CommittedRecords tables, String asset) {
        return tables.records.stream()
                .filter(table -> isAsset(table.key(), asset))
                .reduce((earlier, later) -> later)
                .map(table -> decode(table.value()))
                .orElse(null);
    }

    private static CarryTable decode(byte[] table) {
        try {
            return CarryTable.CODEC.decode(table);
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    private static long count(CommittedRecords rows, String asset) {
        rows.poll();
        return rows.records.stream().filter(row -> isOf(row.key(), asset)).count();
    }

    private static boolean isOf(byte[] key, String asset) {
        return new String(key, UTF_8).endsWith("|" + asset);
    }

    private static boolean isAsset(byte[] key, String asset) {
        return new String(key, UTF_8).equals(asset);
    }

    private static Quote quote(String venue, String asset, long t) {
        long now = System.currentTimeMillis();
        return SampleRecords.quote(
                "venue",
                venue,
                "symbol",
                asset,
                "base",
                asset,
                "quote",
                "USDT",
                "contract_type",
                ContractType.LINEAR,
                "asset_class",
                null,
                "dex",
                null,
                "rate",
                new BigDecimal("0.0001"),
                "rate_unit",
                RateUnit.FRACTION,
                "rate_hours",
                BigDecimal.valueOf(8),
                "rate_kind",
                RateKind.ESTIMATE,
                "interval_h",
                BigDecimal.valueOf(8),
                "interval_source",
                IntervalSource.ROW,
                "next_funding_ms",
                t + 8 * HOUR,
                "mark_price",
                new BigDecimal("100"),
                "index_price",
                null,
                "venue_time_ms",
                null,
                "observed_at_ms",
                now);
    }

    private static void send(String topic, String key, byte[] value, int aheadEvery) {
        byte[] bytes = key.getBytes(UTF_8);
        int partition = Utils.toPositive(Utils.murmur2(bytes)) % Topics.QUOTES_RAW.partitions();
        boolean ahead = aheadEvery > 0 && partition % aheadEvery == 0;
        long stampMs = System.currentTimeMillis() + (ahead ? 2 * DAY : 0);
        var sent = producer.send(new ProducerRecord<>(topic, partition, stampMs, bytes, value));
        assertTrue(!sent.isCancelled());
    }

    private static StreamsService start(InstantSource clock) {
        var service = new StreamsService(
                new StreamsSettings("clocks-1", state.toString(), 2, 1, 0),
                KafkaAccess.at(kafka.bootstrapServers()),
                clock,
                new RefusalsCounted(new AtomicLong()));
        service.start();
        await(service::isRunning, "running, but it is: " + service.state());
        return service;
    }

    private static void await(BooleanSupplier condition, String what) {
        Await.until(what, condition::getAsBoolean);
    }
}
