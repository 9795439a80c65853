package io.fundingobservatory.streams;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.oracle.KnownSettlements;
import io.fundingobservatory.oracle.KnownSettlements.Listing;
import io.fundingobservatory.oracle.KnownSettlements.Settlement;
import io.fundingobservatory.oracle.PairsModel;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Assertions;

/**
 * Three assets at five venues that publish settlements. Sends what is known of them, and has the results judged by the oracle.
 */
final class SettledMarket implements AutoCloseable {
    private static final long HOUR = 3_600_000;
    private static final List<String> VENUES = List.of("binance", "okx", "bybit", "gate", "kucoin");
    static final List<String> ASSETS = List.of("BTC", "ETH", "SOL");
    private static final int[] INTERVALS = {8, 4, 1, 8, 4};

    /** An instant of the last hours, half past: the window does not move on while the test runs. */
    private final long now = System.currentTimeMillis() / HOUR * HOUR - HOUR / 2;

    private final long end = Math.floorDiv(now - 600_000, HOUR) * HOUR;
    private final KnownSettlements sent = new KnownSettlements();
    private final Random random = new Random(7);
    private final KafkaProducer<byte[], byte[]> producer;

    SettledMarket(String bootstrapServers) {
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Every contract's quote and, where the exchange publishes them, its settlements of 31 days. */
    void list() {
        for (String asset : ASSETS) {
            for (int i = 0; i < VENUES.size(); i++) {
                list(VENUES.get(i), asset, INTERVALS[i]);
            }
        }
        producer.flush();
    }

    /** The poll after that. */
    void quoteAgain() {
        for (String asset : ASSETS) {
            for (int i = 0; i < VENUES.size(); i++) {
                quote(VENUES.get(i), asset, INTERVALS[i], now + 60_000);
            }
        }
        producer.flush();
    }

    /** Records that were sent before. */
    void send(List<ProducerRecord<byte[], byte[]>> records) {
        records.forEach(producer::send);
        producer.flush();
    }

    /** Another rate for one settlement of BTC at Binance, read later. */
    void correct() {
        settle("binance", "BTC", end - 8 * HOUR, new BigDecimal("0.5"), now + 1_000);
        producer.flush();
    }

    /** Each pair of each table is what the oracle computes from what was sent. */
    void check(Map<String, byte[]> tables) {
        var oracle = new PairsModel(sent, Assertions::fail);
        tables.values().forEach(table -> oracle.table(Json.object(table)));
        assertEquals(complete(tables), oracle.pairs(), "every pair is complete");
    }

    /** Of Binance and OKX. */
    static CarryPair pair(Map<String, byte[]> tables, String asset) {
        return decode(tables.get(asset)).pairs().stream()
                .filter(p -> List.of(p.longLeg().venue(), p.shortLeg().venue()).containsAll(List.of("binance", "okx")))
                .findFirst()
                .orElseThrow();
    }

    /** How many pairs of all assets are complete. */
    static long complete(Map<String, byte[]> tables) {
        return tables.values().stream()
                .flatMap(table -> decode(table).pairs().stream())
                .filter(CarryPair::complete)
                .count();
    }

    private void quote(String venue, String asset, int intervalH, long atMs) {
        var quote = SampleRecords.quote(
                fields("venue", venue, "symbol", asset + "-USDT", "base", asset, "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                fields("rate", new BigDecimal("0.0001"), "rate_unit", RateUnit.FRACTION),
                fields("rate_hours", BigDecimal.valueOf(intervalH), "rate_kind", RateKind.ESTIMATE),
                fields("interval_h", BigDecimal.valueOf(intervalH), "interval_source", IntervalSource.ROW),
                fields("next_funding_ms", end + intervalH * HOUR, "mark_price", new BigDecimal("100")),
                fields("index_price", null, "venue_time_ms", null, "observed_at_ms", atMs));
        send(Topics.QUOTES_RAW.name(), quote.key(), Quote.CODEC.encode(quote), atMs);
    }

    private void list(String venue, String asset, int intervalH) {
        quote(venue, asset, intervalH, now);
        for (long at = end - 30 * 24 * HOUR - intervalH * HOUR; at <= end; at += intervalH * HOUR) {
            settle(venue, asset, at, BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8), now);
        }
    }

    private void settle(String venue, String asset, long at, BigDecimal rate, long observedAtMs) {
        var settled = new SettledRate(
                venue, asset + "-USDT", at + 250, rate, RateUnit.FRACTION, null, null, null, observedAtMs);
        sent.put(new Listing(venue, settled.symbol(), 0), at, new Settlement(rate, "settled", null));
        send(Topics.SETTLEMENTS_RAW.name(), settled.key(), SettledRate.CODEC.encode(settled), observedAtMs);
    }

    private void send(String topic, ContractKey key, byte[] value, long atMs) {
        var sent = producer.send(
                new ProducerRecord<>(topic, null, atMs, key.toString().getBytes(UTF_8), value));
        assertNotNull(sent);
    }

    private static CarryTable decode(byte[] table) {
        try {
            return CarryTable.CODEC.decode(table);
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
