package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.streams.pairs.PairsTopology;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Settlement;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settlements go where their contract goes, in whatever order the events of different assets are processed. */
class MovedContractTest {
    private static final long HOUR = 3_600_000;
    private static final long NOW = 1_790_000_000_000L / HOUR * HOUR + HOUR / 2;
    private static final ContractKey CONTRACT = new ContractKey("okx", "X");
    private static final long ESTIMATED = NOW / HOUR * HOUR - 8 * HOUR;

    @TempDir
    Path state;

    private final CountedMetrics counts = new CountedMetrics();
    private TopologyTestDriver pairs;
    private TestInputTopic<byte[], byte[]> events;
    private TestOutputTopic<String, Settlement> settlements;

    @BeforeEach
    void open() throws IOException {
        var config = TwoDrivers.config(state, "pairs");
        pairs = new TopologyTestDriver(
                PairsTopology.draw(config, () -> NOW, counts, Duration.ofMinutes(1)),
                config,
                Instant.ofEpochMilli(NOW));
        var bytes = new ByteArraySerializer();
        events = pairs.createInputTopic(Topics.CONTRACT_EVENTS.name(), bytes, bytes);
        settlements = pairs.createOutputTopic(
                Topics.SETTLEMENTS.name(), new StringDeserializer(), Topics.SETTLEMENTS.deserializer());
    }

    @AfterEach
    void close() {
        pairs.close();
    }

    @Test
    void publishesSettlementsOnceTheirAssetIsKnown() {
        send(settlement(null, 0, ESTIMATED));
        assertTrue(settlements.isEmpty());
        send(removed(null, 0, null, "BTC"));
        send(listed("BTC", 0, null));
        assertEquals(List.of("BTC 0 " + ESTIMATED), published());
        send(settlement("BTC", 0, ESTIMATED));
        assertEquals(List.of(), published(), "nothing twice");
    }

    @Test
    void settlementsFollowARenaming() {
        send(listed("A", 0, null));
        send(settlement("A", 0, ESTIMATED));
        assertEquals(List.of("A 0 " + ESTIMATED), published());
        send(removed("A", 0, null, "B"));
        send(listed("B", 0, null));
        assertEquals(List.of("B 0 " + ESTIMATED), published());
        assertEquals(1, days(), "one copy of the day");
    }

    /** A settlement without an interval closed the announced one, also when it is read again at its later asset. */
    @Test
    void announcedIntervalFollowsItsSettlement() {
        send(listed("A", 0, null));
        send(ContractEvent.expected(CONTRACT, "A", 0, ESTIMATED, BigDecimal.valueOf(8), ESTIMATED));
        send(settlement("A", 0, ESTIMATED, null, ESTIMATED + 60_000));
        send(removed("A", 0, null, "B"));
        send(listed("B", 0, null));
        assertEquals(List.of("A 8", "B 8"), intervals());
        send(settlement("B", 0, ESTIMATED, null, ESTIMATED + 120_000));
        assertEquals(List.of(), intervals(), "nothing else is known");
    }

    @Test
    void settlementsOfAnEarlierListingStayBehind() {
        send(listed("A", 0, null));
        send(settlement("A", 0, ESTIMATED - 8 * HOUR));
        send(settlement("A", 0, ESTIMATED));
        published();
        send(removed("A", 1, ESTIMATED - 1, "B"));
        send(listed("B", 1, ESTIMATED - 1));
        assertEquals(List.of("B 1 " + ESTIMATED), published());
    }

    @Test
    void relistingTakesNewestSettlements() {
        send(listed("A", 0, null));
        send(settlement("A", 0, ESTIMATED - 8 * HOUR));
        send(settlement("A", 0, ESTIMATED));
        published();
        send(listed("A", 1, ESTIMATED - 1));
        assertEquals(List.of("A 1 " + ESTIMATED), published());
    }

    @Test
    void incompleteEventIsDeadLetter() {
        byte[] withoutQuote = new String(ContractEvent.CODEC.encode(listed("A", 0, null)), UTF_8)
                .replace("\"quote\":\"USDT\"", "\"quote\":null")
                .getBytes(UTF_8);
        events.pipeInput(new TestRecord<>("A".getBytes(UTF_8), withoutQuote, Instant.ofEpochMilli(NOW)));
        send(settlement("A", 0, ESTIMATED));
        TestRecord<byte[], byte[]> letter = letter();
        assertEquals("incomplete", RatesDriver.header(letter, "reason"));
        assertEquals("quote is missing", RatesDriver.header(letter, "detail"));
        assertEquals(1, published().size(), "the next event is processed");
    }

    /** Something fails that nobody foresaw: nothing of the event is kept, and sent again it is news. */
    @Test
    void failingEventChangesNothing() {
        send(settlement(null, 0, ESTIMATED));
        counts.failAt("SETTLED", 1);
        send(settlement("A", 0, ESTIMATED - HOUR));
        assertEquals("processing_failed", RatesDriver.header(letter(), "reason"));
        assertEquals(1, days(), "the day of the first event");
        assertEquals(List.of(), published());
        send(settlement("A", 0, ESTIMATED - HOUR));
        assertEquals(List.of("A 0 " + (ESTIMATED - HOUR)), published());
    }

    /** Also of a contract without an asset, whose table is never made. */
    @Test
    void daysThatNothingReadsAreDeleted() {
        send(settlement(null, 0, ESTIMATED - 40 * 24 * HOUR));
        send(settlement(null, 0, ESTIMATED));
        assertEquals(2, days());
        pairs.advanceWallClockTime(Duration.ofMinutes(1));
        assertEquals(2, days(), "the newest day is not known before all were looked at");
        pairs.advanceWallClockTime(Duration.ofMinutes(1));
        assertEquals(1, days());
    }

    private TestRecord<byte[], byte[]> letter() {
        return pairs.createOutputTopic(
                        Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecord();
    }

    private long days() {
        long days = 0;
        try (var all = pairs.getKeyValueStore(PairsStores.LEDGER).all()) {
            for (; all.hasNext(); all.next()) {
                days++;
            }
        }
        return days;
    }

    private List<String> published() {
        var published = new ArrayList<String>();
        settlements
                .readValuesToList()
                .forEach(s -> published.add(s.asset() + " " + s.listingEpoch() + " " + s.settledMs()));
        return published;
    }

    private List<String> intervals() {
        return settlements.readValuesToList().stream()
                .map(s -> s.asset() + " " + s.fundingIntervalH())
                .toList();
    }

    private void send(ContractEvent event) {
        events.pipeInput(new TestRecord<>(
                event.recordKey().getBytes(UTF_8), ContractEvent.CODEC.encode(event), Instant.ofEpochMilli(NOW)));
    }

    private static ContractEvent listed(String asset, long listingEpoch, @Nullable Long sinceMs) {
        return ContractEvent.listed(
                CONTRACT,
                asset,
                listingEpoch,
                sinceMs,
                "USDT",
                ContractType.LINEAR,
                BigDecimal.valueOf(8),
                BigDecimal.TEN,
                NOW);
    }

    private static ContractEvent removed(@Nullable String asset, long listingEpoch, @Nullable Long sinceMs, String to) {
        return ContractEvent.removed(CONTRACT, asset, listingEpoch, sinceMs, to, NOW);
    }

    private static ContractEvent settlement(@Nullable String asset, long listingEpoch, long settledMs) {
        return settlement(asset, listingEpoch, settledMs, BigDecimal.valueOf(8), settledMs + 60_000);
    }

    private static ContractEvent settlement(
            @Nullable String asset,
            long listingEpoch,
            long settledMs,
            @Nullable BigDecimal intervalH,
            long observedAtMs) {
        return ContractEvent.settlement(
                CONTRACT,
                asset,
                listingEpoch,
                settledMs,
                settledMs,
                new BigDecimal("0.0001"),
                Basis.SETTLED,
                intervalH,
                observedAtMs);
    }
}
