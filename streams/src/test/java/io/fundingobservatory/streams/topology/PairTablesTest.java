package io.fundingobservatory.streams.topology;

import static io.fundingobservatory.streams.topology.SimulatedMarket.DAY;
import static io.fundingobservatory.streams.topology.SimulatedMarket.END;
import static io.fundingobservatory.streams.topology.SimulatedMarket.HOUR;
import static io.fundingobservatory.streams.topology.SimulatedMarket.START;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.oracle.LedgerModel;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.Settlement;
import io.fundingobservatory.topics.records.VenueQuality;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settlements and pair tables over simulated weeks, judged by the oracle. */
class PairTablesTest {
    /** Pairs of bingx, whose price is another, with the other linear contracts. */
    private static final int REFUSED = 13;

    @TempDir
    Path states;

    private int opened;
    private long steadyMs;
    private CountedMetrics counts;
    private TwoDrivers drivers;
    private TestInputTopic<byte[], byte[]> quotes;
    private TestInputTopic<byte[], byte[]> settledRates;
    private TestOutputTopic<String, Settlement> settlements;
    private TestOutputTopic<String, byte[]> tables;
    private TestOutputTopic<String, VenueQuality> measured;
    private TestOutputTopic<byte[], byte[]> dead;

    /** The newest of each key: what a reader of the compacted topic has. */
    private final Map<String, byte[]> table = new TreeMap<>();

    private final Map<String, VenueQuality> quality = new TreeMap<>();

    private final Map<String, Settlement> ledger = new TreeMap<>();

    @BeforeEach
    void open() throws Exception {
        steadyMs = START;
        counts = new CountedMetrics();
        drivers = new TwoDrivers(states.resolve("s" + opened++), () -> steadyMs, counts, OpenVenues.LISTED);
        quotes = drivers.input(Topics.QUOTES_RAW);
        settledRates = drivers.input(Topics.SETTLEMENTS_RAW);
        settlements = drivers.output(drivers.pairs, Topics.SETTLEMENTS);
        tables = drivers.pairs.createOutputTopic(
                Topics.CARRY_PAIRS.name(), new StringDeserializer(), new ByteArrayDeserializer());
        measured = drivers.output(drivers.pairs, Topics.VENUES_QUALITY);
        dead = drivers.deadLetters(drivers.rates);
    }

    @AfterEach
    void close() {
        drivers.close();
    }

    @Test
    void everyPairEqualsOracle() throws Exception {
        SimulatedMarket market = EventfulMarket.run(35);
        var expectations = new TableExpectations(market, ledger, table, quality);
        int next = 0;
        var oracle = new LedgerModel();
        int complete = 0;
        long step = SimulatedMarket.COMPARED_EVERY_H * HOUR;
        for (long now = START + 11 * 60_000; now < END + step; now += step) {
            long tick = Math.min(now, END + 60_000);
            for (; next < market.events.size() && market.events.get(next).arrivedMs() <= tick; next++) {
                market.events.get(next).addTo(oracle);
                send(market.events.get(next));
            }
            tick(tick);
            complete = expectations.compare(oracle.listings(market.truth), tick);
        }
        assertTrue(complete >= 3, "some pairs are complete in the end: " + complete);
        assertTrue(dead.isEmpty());
        assertTrue(counts.of("missed") > 0 && counts.of("late") > 0, counts::toString);
        assertFalse(table.containsKey("ETH"), "no contract is left of that name");
        CarryTable btc = CarryTable.CODEC.decode(table.get("BTC"));
        assertEquals(REFUSED, btc.refused().size(), "one price is beside those of all other linear contracts");
        assertEquals("gap", TableExpectations.pair(btc, "binance", "htx").reason());

        byte[] inTime = table.get("BTC");
        var measuredInTime = new TreeMap<>(quality);
        replay(market);
        stopsResponding(btc);
        assertTrue(quality.isEmpty(), "nothing is left to compare");
        inAnotherOrder(market, inTime);
        // Its clock is that of the settlements, and the last that came was an old one: it has to go on to the same
        // window.
        while (quality.get("binance").windowEndMs()
                < measuredInTime.get("binance").windowEndMs()) {
            tick(steadyMs + HOUR);
        }
        measuredInTime.remove("xt"); // what is published after a ticker was given to another coin is dropped
        quality.remove("xt");
        assertEquals(measuredInTime, quality);
    }

    /** Into empty stores, first all quotes, then the settlements from the last to the first: byte for byte the same table. */
    private void inAnotherOrder(SimulatedMarket market, byte[] inTime) throws Exception {
        close();
        open();
        market.events.stream().filter(event -> event.quote() != null).forEach(this::send);
        market.events.reversed().stream().filter(event -> event.quote() == null).forEach(this::send);
        steadyMs += 60_000;
        tick(steadyMs);
        assertArrayEquals(inTime, table.get("BTC"));
        assertEquals(Set.of("BTC", "SOL"), table.keySet());
    }

    @Test
    void rejectsImpossibleSettlementsAndKeepsOthersWaiting() {
        byte[] key = "okx|X".getBytes(UTF_8);
        var good = new SettledRate(
                "okx", "X", START - 8 * HOUR, new BigDecimal("0.01"), RateUnit.PERCENT, null, null, null, START);
        var priceless = new SettledRate(
                "okx", "X", START - 8 * HOUR, BigDecimal.ONE, RateUnit.QUOTE_PER_COIN_AT_MARK, null, null, null, START);
        var future =
                new SettledRate("okx", "X", START + HOUR, BigDecimal.ONE, RateUnit.FRACTION, null, null, null, START);
        Instant now = Instant.ofEpochMilli(START);
        for (byte[] value : new byte[][] {
            new byte[] {1, 2, 3},
            null,
            SettledRate.CODEC.encode(priceless),
            SettledRate.CODEC.encode(future),
            SettledRate.CODEC.encode(good)
        }) {
            settledRates.pipeInput(new TestRecord<>(key, value, now));
        }
        settledRates.pipeInput(new TestRecord<>("okx|Y".getBytes(UTF_8), SettledRate.CODEC.encode(good), now));
        assertEquals(
                List.of("unreadable", "no_value", "interval_or_price_unknown", "settled_in_the_future", "key_mismatch"),
                dead.readRecordsToList().stream()
                        .map(letter ->
                                new String(letter.headers().lastHeader("reason").value(), UTF_8))
                        .toList());
        drivers.pump();
        assertTrue(settlements.isEmpty(), "its asset is not known");

        var market = new SimulatedMarket(1);
        market.add("okx", 8);
        Quote quote = market.run().events.getFirst().quote();
        quotes.pipeInput(new TestRecord<>(key, Quote.CODEC.encode(Quote.CODEC.with(quote, "symbol", "X")), now));
        drivers.pump();
        Settlement settlement = settlements.readValue();
        assertEquals("BTC", settlement.asset());
        assertEquals(new BigDecimal("0.0001"), settlement.fundingRate());
        assertTrue(settlements.isEmpty());
    }

    /**
     * Every settlement from the beginning and the quotes of three days, into the same stores: nothing comes out. Nor does the history of
     * a day that is read again.
     */
    private void replay(SimulatedMarket market) {
        settlements.readRecordsToList();
        market.events.stream()
                .filter(event -> event.quote() == null || event.arrivedMs() > END - 3 * DAY)
                .forEach(this::send);
        market.events.stream()
                .filter(event -> event.quote() == null && event.arrivedMs() > END - DAY)
                .map(event -> SettledRate.CODEC.with(event.settled(), "observed_at_ms", END + 60_000))
                .forEach(again -> send(new SimulatedMarket.Event(END + 60_000, null, again)));
        steadyMs = END + 120_000;
        drivers.advance(Duration.ofSeconds(10));
        assertTrue(settlements.isEmpty(), "no payment");
        assertTrue(tables.isEmpty(), "no table");
        assertTrue(measured.isEmpty(), "no quality");
    }

    /** Hours without any record: the same values never shrink silently, they turn incomplete and say why. */
    private void stopsResponding(CarryTable before) throws Exception {
        assertTrue(TableExpectations.pair(before, "binance", "mexc").complete());
        tick(END + 9 * HOUR + 11 * 60_000);
        CarryTable silent = CarryTable.CODEC.decode(table.get("BTC"));
        assertEquals(REFUSED, silent.refused().size(), "silence makes no pair of two coins");
        CarryPair pair = TableExpectations.pair(silent, "binance", "mexc");
        assertFalse(pair.complete());
        assertTrue(Set.of("gap", "settlement_pending").contains(pair.reason()), pair::toString);
        tick(END + 32 * DAY);
        assertNull(table.get("BTC"), "what was not observed for 31 days is gone");
    }

    private void send(SimulatedMarket.Event event) {
        steadyMs = Math.max(steadyMs, event.arrivedMs());
        Instant arrived = Instant.ofEpochMilli(event.arrivedMs());
        if (event.quote() != null) {
            quotes.pipeInput(new TestRecord<>(
                    event.quote().key().toString().getBytes(UTF_8), Quote.CODEC.encode(event.quote()), arrived));
        } else {
            settledRates.pipeInput(new TestRecord<>(
                    event.settled().key().toString().getBytes(UTF_8),
                    SettledRate.CODEC.encode(event.settled()),
                    arrived));
        }
        drivers.pump();
    }

    private void tick(long nowMs) {
        steadyMs = nowMs;
        drivers.advance(Duration.ofSeconds(10));
        for (var record : tables.readRecordsToList()) {
            if (record.value() == null) {
                assertNotNull(table.remove(record.key()), "a tombstone for nothing");
            } else {
                assertEquals(
                        "carry-table/1",
                        new String(record.headers().lastHeader("schema").value(), UTF_8));
                table.put(record.key(), record.value());
            }
        }
        for (var record : measured.readRecordsToList()) {
            if (record.value() == null) {
                assertNotNull(quality.remove(record.key()), "a tombstone for nothing");
            } else {
                assertEquals(record.key(), record.value().venue());
                quality.put(record.key(), record.value());
            }
        }
        for (var record : settlements.readRecordsToList()) {
            Settlement s = record.value();
            assertEquals(s.key().toString(), record.key());
            assertEquals(
                    "settlement/1",
                    new String(record.headers().lastHeader("schema").value(), UTF_8));
            ledger.put(s.key() + " " + s.listingEpoch() + " " + s.settledMs(), s);
        }
    }
}
