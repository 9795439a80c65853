package io.fundingobservatory.gateway.tables;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TableTopologyTest {
    private static final long NOW = 1_790_000_000_000L;

    private final List<String> poison = new ArrayList<>();
    private final Changes changes = new Changes(poison::add);
    private final TopologyTestDriver rates = new TopologyTestDriver(TableTopology.rates(changes), properties());
    private final TopologyTestDriver pairs = new TopologyTestDriver(TableTopology.pairs(changes), properties());

    private static Properties properties() {
        var properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "gateway-test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        return properties;
    }

    @AfterEach
    void close() {
        rates.close();
        pairs.close();
    }

    private void pipe(Topic<?> topic, String key, byte[] value) {
        TopologyTestDriver driver = topic.equals(Topics.CARRY_PAIRS) ? pairs : rates;
        TestInputTopic<String, byte[]> input =
                driver.createInputTopic(topic.name(), new StringSerializer(), new ByteArraySerializer());
        input.pipeInput(key, value, Instant.ofEpochMilli(NOW));
    }

    private ValueAndTimestamp<byte[]> kept(String store, String key) {
        return rates.<String, byte[]>getTimestampedKeyValueStore(store).get(key);
    }

    private byte[] row(String key) {
        return rates.<String, byte[]>getKeyValueStore(TableTopology.LATEST).get(key);
    }

    @Test
    void storesLastValueOfKey() {
        byte[] first = Rate.CODEC.encode(Samples.rate("okx", "A", "A", NOW));
        byte[] second = Rate.CODEC.encode(Samples.rate("okx", "A", "A", NOW + 1));
        pipe(Topics.RATES_LATEST, "okx|A", first);
        pipe(Topics.RATES_LATEST, "okx|A", second);
        assertArrayEquals(second, row("okx|A"));
        assertEquals(Set.of("okx"), changes.takeVenues());
        assertEquals(Set.of(), changes.takeVenues(), "taken");
        pipe(Topics.RATES_LATEST, "okx|A", null);
        assertNull(row("okx|A"));
        assertEquals(Set.of("okx"), changes.takeVenues());
        assertFalse(changes.takeStatuses());
    }

    @Test
    void countsUnreadableRecordAndKeepsFormerValue() {
        byte[] good = Rate.CODEC.encode(Samples.rate("okx", "A", "A", NOW));
        pipe(Topics.RATES_LATEST, "okx|A", good);
        pipe(Topics.RATES_LATEST, "okx|A", "{\"venue\":1e400".getBytes(StandardCharsets.UTF_8));
        pipe(Topics.RATES_LATEST, "okx|A", Rate.CODEC.encode(Samples.rate("okx", "OTHER", "A", NOW)));
        pipe(Topics.RATES_LATEST, "okx|A", new byte[] {(byte) 0xff});
        pipe(Topics.RATES_LATEST, null, good);
        assertEquals(List.of("rates.latest", "rates.latest", "rates.latest", "rates.latest"), poison);
        assertArrayEquals(good, row("okx|A"));
    }

    @Test
    void statusHasItsPublicationTime() {
        pipe(Topics.VENUES_STATUS, "okx", VenueStatus.CODEC.encode(Samples.read("okx", NOW - 9, 1, Map.of())));
        assertEquals(NOW, kept(TableTopology.STATUS, "okx").timestamp());
        assertTrue(changes.takeStatuses());
        pipe(Topics.VENUES_STATUS, "gate", VenueStatus.CODEC.encode(Samples.read("okx", NOW, 1, Map.of())));
        assertEquals(List.of("venues.status"), poison, "another exchange's");
    }

    private static byte[] pairs(String asset, long windowEndMs, String receipt) {
        var pair = new CarryPair(
                Samples.leg("gate", asset, "0.001", 0, windowEndMs),
                Samples.leg("okx", asset, "0.0035", 0, windowEndMs),
                30,
                true,
                null,
                new BigDecimal("0.0025"),
                17L,
                receipt);
        return CarryTable.CODEC.encode(Samples.table(asset, windowEndMs, List.of(pair), List.of()));
    }

    @Test
    void passesPairTablesOnWithoutStoringThem() {
        String receipt = "0123456789abcdef".repeat(4);
        pipe(Topics.CARRY_PAIRS, "BTC", pairs("BTC", NOW - 3_600_000, receipt));
        pipe(Topics.CARRY_PAIRS, "BTC", pairs("BTC", NOW, receipt));
        pipe(Topics.CARRY_PAIRS, "ETH", null);
        assertEquals(
                0, pairs.<String, byte[]>getKeyValueStore(TableTopology.PAIRS).get("BTC").length);
        assertTrue(changes.takePairs());
        assertFalse(changes.takePairs(), "taken");
        assertEquals(1, PairRanking.none("").with(changes.pairs()).size());
        pipe(Topics.CARRY_PAIRS, "BTC", null);
        assertTrue(changes.takePairs());
        assertEquals(List.of(), changes.pairs());
        assertEquals(List.of(), poison);
    }

    @Test
    void countsUnreadablePairTableWithoutPassingItOn() {
        String receipt = "ab".repeat(32);
        pipe(Topics.CARRY_PAIRS, "BTC", pairs("BTC", NOW, receipt));
        pipe(Topics.CARRY_PAIRS, "BTC", "{\"asset\":\"BTC\"}".getBytes(StandardCharsets.UTF_8));
        pipe(Topics.CARRY_PAIRS, "ETH", pairs("BTC", NOW, receipt));
        pipe(Topics.CARRY_PAIRS, "SOL", pairs("SOL", NOW, "no receipt"));
        pipe(Topics.CARRY_PAIRS, null, pairs("BTC", NOW, receipt));
        assertEquals(1, PairRanking.none("").with(changes.pairs()).size());
        assertEquals(List.of("carry.pairs", "carry.pairs", "carry.pairs", "carry.pairs"), poison);
    }
}
