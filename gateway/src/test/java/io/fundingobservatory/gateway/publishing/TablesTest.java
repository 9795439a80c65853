package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.gateway.publishing.Tables.PublishedStatus;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.AssetClass;
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
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TablesTest {
    private static final long NOW = 1_790_000_000_000L;

    private final List<String> poison = new ArrayList<>();
    private final Tables tables = new Tables(poison::add);
    private final TopologyTestDriver rates = driver(tables.ofRates());
    private final TopologyTestDriver pairs = driver(tables.ofPairs());

    private static TopologyTestDriver driver(List<Table<?>> tables) {
        var topology = new Topology();
        tables.forEach(table -> table.addTo(topology));
        return new TopologyTestDriver(topology, properties());
    }

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
        pipe(topic.equals(Topics.CARRY_PAIRS) ? pairs : rates, topic, key, value);
    }

    private static void pipe(TopologyTestDriver driver, Topic<?> topic, String key, byte[] value) {
        TestInputTopic<String, byte[]> input =
                driver.createInputTopic(topic.name(), new StringSerializer(), new ByteArraySerializer());
        input.pipeInput(key, value, Instant.ofEpochMilli(NOW));
    }

    private List<Rate> rows(String venue) {
        return tables.rowsOf(venue).stream().map(EncodedRow::rate).toList();
    }

    @Test
    void storesLastValueOfKey() {
        Rate first = Samples.rate("okx", "A", "A", NOW);
        Rate second = Samples.rate("okx", "A", "A", NOW + 1);
        pipe(Topics.RATES_LATEST, "okx|A", Rate.CODEC.encode(first));
        pipe(Topics.RATES_LATEST, "okx|A", Rate.CODEC.encode(second));
        assertEquals(List.of(second), rows("okx"));
        assertArrayEquals(
                Rate.CODEC.encode(second), tables.rowsOf("okx").getFirst().json());
        assertEquals(Set.of("okx"), tables.takeChangedVenues());
        assertEquals(Set.of(), tables.takeChangedVenues(), "taken");
        pipe(Topics.RATES_LATEST, "okx|A", null);
        assertEquals(List.of(), rows("okx"));
        assertEquals(Set.of("okx"), tables.takeChangedVenues());
    }

    /** Symbols have any character, and a venue's name may begin with another's. */
    @Test
    void rowsOfVenueAreItsOwn() {
        Rate okx = Samples.rate("okx", "~Z", "A", NOW);
        Rate longer = Samples.rate("okx_eu", "A", "A", NOW);
        Rate shorter = Samples.rate("ok", "A", "A", NOW);
        List.of(okx, longer, shorter)
                .forEach(row -> pipe(Topics.RATES_LATEST, row.key().toString(), Rate.CODEC.encode(row)));
        assertEquals(List.of(okx), rows("okx"));
        assertEquals(List.of(longer), rows("okx_eu"));
        assertEquals(List.of(shorter), rows("ok"));
    }

    /** Whichever of them is read first, a row has the class that another venue states for its asset. */
    @Test
    void classOfAssetDoesNotDependOnOrder() {
        for (Rate row : List.of(
                Samples.rate("bybit", "A", "A", null, NOW),
                Samples.rate("okx", "A", "A", AssetClass.EQUITY, NOW),
                Samples.rate("woox", "A", "A", null, NOW))) {
            pipe(Topics.RATES_LATEST, row.key().toString(), Rate.CODEC.encode(row));
        }
        for (String venue : List.of("bybit", "woox")) {
            EncodedRow row = tables.rowsOf(venue).getFirst();
            assertEquals(AssetClass.EQUITY, row.rate().assetClass());
            assertTrue(row.rate().assetClassByAsset());
            assertArrayEquals(Rate.CODEC.encode(row.rate()), row.json());
        }
        assertFalse(rows("okx").getFirst().assetClassByAsset());
    }

    @Test
    void countsUnreadableRecordAndKeepsFormerValue() {
        Rate row = Samples.rate("okx", "A", "A", NOW);
        byte[] good = Rate.CODEC.encode(row);
        pipe(Topics.RATES_LATEST, "okx|A", good);
        pipe(Topics.RATES_LATEST, "okx|A", "{\"venue\":1e400".getBytes(StandardCharsets.UTF_8));
        pipe(Topics.RATES_LATEST, "okx|A", Rate.CODEC.encode(Samples.rate("okx", "OTHER", "A", NOW)));
        pipe(Topics.RATES_LATEST, "okx|A", new byte[] {(byte) 0xff});
        pipe(Topics.RATES_LATEST, null, good);
        assertEquals(List.of("rates.latest", "rates.latest", "rates.latest", "rates.latest"), poison);
        assertEquals(List.of(row), rows("okx"));
    }

    @Test
    void statusHasItsPublicationTime() {
        VenueStatus status = Samples.read("okx", NOW - 9, 1, Map.of());
        pipe(Topics.VENUES_STATUS, "okx", VenueStatus.CODEC.encode(status));
        assertEquals(Map.of("okx", new PublishedStatus(status, NOW)), tables.statuses());
        pipe(Topics.VENUES_STATUS, "gate", VenueStatus.CODEC.encode(Samples.read("okx", NOW, 1, Map.of())));
        assertEquals(List.of("venues.status"), poison, "another venue's");
        assertEquals(Map.of("okx", new PublishedStatus(status, NOW)), tables.statuses());
    }

    /** 300 s of lists of 25,000 rows would hold 125,000 symbols. */
    @Test
    void rowsOfContractShareNamesAndSymbol() throws Exception {
        byte[] record = Rate.CODEC.encode(Samples.rate("okx", "A", "B", NOW));
        assertNotSame(
                Rate.CODEC.decode(record).symbol(), Rate.CODEC.decode(record).symbol());
        pipe(Topics.RATES_LATEST, "okx|A", record);
        Rate first = rows("okx").getFirst();
        pipe(Topics.RATES_LATEST, "okx|A", record);
        Rate second = rows("okx").getFirst();
        assertNotSame(first, second);
        assertEquals(Rate.CODEC.decode(record), second);
        assertSame(first.symbol(), second.symbol());
        assertSame(first.venue(), second.venue());
        assertSame(first.asset(), second.asset());
        assertSame(first.priceScale(), second.priceScale());
    }

    /** The topic was lost: what another client reads again is less than what is shown. */
    @Test
    void valuesStayWhenAnotherClientReadsLess() {
        pipe(Topics.RATES_LATEST, "okx|A", Rate.CODEC.encode(Samples.rate("okx", "A", "A", NOW)));
        pipe(Topics.RATES_LATEST, "okx|B", Rate.CODEC.encode(Samples.rate("okx", "B", "B", NOW)));
        Rate newer = Samples.rate("okx", "A", "A", NOW + 1);
        try (TopologyTestDriver again = driver(tables.ofRates())) {
            pipe(again, Topics.RATES_LATEST, "okx|A", Rate.CODEC.encode(newer));
        }
        assertEquals(List.of(newer, Samples.rate("okx", "B", "B", NOW)), rows("okx"));
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
    void holdsLastPairTableOfAsset() {
        String receipt = "0123456789abcdef".repeat(4);
        pipe(Topics.CARRY_PAIRS, "BTC", pairs("BTC", NOW - 3_600_000, receipt));
        pipe(Topics.CARRY_PAIRS, "BTC", pairs("BTC", NOW, receipt));
        pipe(Topics.CARRY_PAIRS, "ETH", null);
        assertTrue(tables.takePairsChanged());
        assertFalse(tables.takePairsChanged(), "taken");
        assertEquals(1, PairRanking.none("").with(tables.pairs()).complete().size());
        pipe(Topics.CARRY_PAIRS, "BTC", null);
        assertTrue(tables.takePairsChanged());
        assertTrue(tables.pairs().isEmpty());
        assertEquals(List.of(), poison);
    }

    @Test
    void countsUnreadablePairTableAndKeepsFormer() {
        String receipt = "ab".repeat(32);
        pipe(Topics.CARRY_PAIRS, "BTC", pairs("BTC", NOW, receipt));
        pipe(Topics.CARRY_PAIRS, "BTC", "{\"asset\":\"BTC\"}".getBytes(StandardCharsets.UTF_8));
        pipe(Topics.CARRY_PAIRS, "ETH", pairs("BTC", NOW, receipt));
        pipe(Topics.CARRY_PAIRS, "SOL", pairs("SOL", NOW, "no receipt"));
        pipe(Topics.CARRY_PAIRS, null, pairs("BTC", NOW, receipt));
        assertEquals(1, PairRanking.none("").with(tables.pairs()).complete().size());
        assertEquals(List.of("carry.pairs", "carry.pairs", "carry.pairs", "carry.pairs"), poison);
    }
}
