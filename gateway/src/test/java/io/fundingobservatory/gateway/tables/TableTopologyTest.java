package io.fundingobservatory.gateway.tables;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.Samples;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private final Changes changes = new Changes();
    private final List<String> poison = new ArrayList<>();
    private final TopologyTestDriver driver =
            new TopologyTestDriver(TableTopology.of(changes, poison::add), properties());

    private static Properties properties() {
        var properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "gateway-test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        return properties;
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private void pipe(Topic<?> topic, String key, byte[] value) {
        TestInputTopic<String, byte[]> input =
                driver.createInputTopic(topic.name(), new StringSerializer(), new ByteArraySerializer());
        input.pipeInput(key, value, Instant.ofEpochMilli(NOW));
    }

    private ValueAndTimestamp<byte[]> kept(String store, String key) {
        return driver.<String, byte[]>getTimestampedKeyValueStore(store).get(key);
    }

    @Test
    void theLastValueOfAKeyIsKeptWithItsTime() {
        byte[] first = Rate.CODEC.encode(Samples.rate("okx", "A", "A", NOW));
        byte[] second = Rate.CODEC.encode(Samples.rate("okx", "A", "A", NOW + 1));
        pipe(Topics.RATES_LATEST, "okx|A", first);
        pipe(Topics.RATES_LATEST, "okx|A", second);
        assertArrayEquals(second, kept(TableTopology.LATEST, "okx|A").value());
        assertEquals(NOW, kept(TableTopology.LATEST, "okx|A").timestamp());
        assertEquals(Set.of("okx"), changes.takeVenues());
        assertEquals(Set.of(), changes.takeVenues(), "taken");
        pipe(Topics.RATES_LATEST, "okx|A", null);
        assertNull(kept(TableTopology.LATEST, "okx|A"));
        assertEquals(Set.of("okx"), changes.takeVenues());
        assertFalse(changes.takeStatuses());
    }

    @Test
    void whatCannotBeReadIsCountedAndLeavesTheFormerValueStanding() {
        byte[] good = Rate.CODEC.encode(Samples.rate("okx", "A", "A", NOW));
        pipe(Topics.RATES_LATEST, "okx|A", good);
        pipe(Topics.RATES_LATEST, "okx|A", "{\"venue\":1e400".getBytes(StandardCharsets.UTF_8));
        pipe(Topics.RATES_LATEST, "okx|A", Rate.CODEC.encode(Samples.rate("okx", "OTHER", "A", NOW)));
        pipe(Topics.RATES_LATEST, "okx|A", new byte[] {(byte) 0xff});
        pipe(Topics.RATES_LATEST, null, good);
        assertEquals(List.of("rates.latest", "rates.latest", "rates.latest", "rates.latest"), poison);
        assertArrayEquals(good, kept(TableTopology.LATEST, "okx|A").value());
    }

    @Test
    void aStatusHasTheTimeAtWhichItWasPublished() {
        pipe(Topics.VENUES_STATUS, "okx", VenueStatus.CODEC.encode(Samples.read("okx", NOW - 9, 1, Map.of())));
        assertEquals(NOW, kept(TableTopology.STATUS, "okx").timestamp());
        assertTrue(changes.takeStatuses());
        pipe(Topics.VENUES_STATUS, "gate", VenueStatus.CODEC.encode(Samples.read("okx", NOW, 1, Map.of())));
        assertEquals(List.of("venues.status"), poison, "another exchange's");
    }

    @Test
    void pairTablesAreHandedOnAndNotKeptTwice() {
        pipe(Topics.CARRY_PAIRS, "BTC", new byte[] {1});
        pipe(Topics.CARRY_PAIRS, "BTC", new byte[] {2});
        pipe(Topics.CARRY_PAIRS, "ETH", null);
        pipe(Topics.CARRY_PAIRS, null, new byte[] {3});
        assertNull(kept(TableTopology.PAIRS, "BTC"));
        Map<String, Optional<byte[]>> taken = changes.takePairs();
        assertEquals(Set.of("BTC", "ETH"), taken.keySet());
        assertArrayEquals(new byte[] {2}, taken.get("BTC").orElseThrow());
        assertTrue(taken.get("ETH").isEmpty());
        assertEquals(Map.of(), changes.takePairs(), "taken");
        assertEquals(List.of("carry.pairs"), poison);
    }
}
