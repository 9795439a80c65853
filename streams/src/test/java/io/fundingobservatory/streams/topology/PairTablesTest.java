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

import io.fundingobservatory.topics.CarryLeg;
import io.fundingobservatory.topics.CarryPair;
import io.fundingobservatory.topics.CarryTable;
import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.ContractType;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.RateKind;
import io.fundingobservatory.topics.RateUnit;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Settlement;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueQuality;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settlements and pair tables over simulated weeks, against a plain second computation of every figure. */
class PairTablesTest {
    @TempDir
    Path states;

    private int opened;
    private long steadyMs;
    private CountedMetrics counts;
    private TopologyTestDriver driver;
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
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        config.put(
                StreamsConfig.STATE_DIR_CONFIG,
                Files.createDirectory(states.resolve("s" + opened++)).toString());
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        var topology = RatesTopology.draw(config, () -> steadyMs, counts);
        driver = new TopologyTestDriver(topology, config, Instant.ofEpochMilli(START));
        var bytes = new ByteArraySerializer();
        quotes = driver.createInputTopic(Topics.QUOTES_RAW.name(), bytes, bytes);
        settledRates = driver.createInputTopic(Topics.SETTLEMENTS_RAW.name(), bytes, bytes);
        var text = new StringDeserializer();
        settlements = driver.createOutputTopic(Topics.SETTLEMENTS.name(), text, Topics.SETTLEMENTS.deserializer());
        tables = driver.createOutputTopic(Topics.CARRY_PAIRS.name(), text, new ByteArrayDeserializer());
        measured = driver.createOutputTopic(Topics.VENUES_QUALITY.name(), text, Topics.VENUES_QUALITY.deserializer());
        dead = driver.createOutputTopic(
                Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private static SimulatedMarket market(long seed) {
        var market = new SimulatedMarket(seed);
        market.add("binance", 8).history = true;
        var glitching = market.add("okx", 8);
        glitching.glitch =
                new long[] {START + 7 * DAY + 14 * HOUR + HOUR / 3, START + 7 * DAY + 14 * HOUR + 2 * HOUR / 3};
        var changing = market.add("bybit", 8);
        changing.history = true;
        changing.intervals.put(START + 9 * DAY, 4);
        changing.intervals.put(START + 12 * DAY, 1);
        changing.intervals.put(START + 25 * DAY + 3 * HOUR, 4); // from then on at 3, 7, 11 …
        changing.lateStamps = true;
        var lossy = market.add("weex", 8);
        lossy.history = true;
        lossy.wordless = true;
        lossy.intervals.put(START - 20 * DAY, 4);
        lossy.intervals.put(START + 6 * DAY, 8);
        lossy.lost.add(START - 20 * DAY + 4 * HOUR);
        lossy.lost.add(START + 6 * DAY);
        market.add("hyperliquid", 1).announces = false;
        var continuous = market.add("deribit", 1);
        continuous.kind = RateKind.CONTINUOUS;
        continuous.announces = false;
        var lastSettled = market.add("mexc", 4);
        lastSettled.kind = RateKind.LAST_SETTLED;
        lastSettled.history = true;
        var gapped = market.add("gate", 4);
        gapped.silences.add(new long[] {START + 15 * DAY + 3 * HOUR, START + 16 * DAY + 5 * HOUR});
        var relisted = market.add("kucoin", 8);
        relisted.silences.add(new long[] {START + 10 * DAY + HOUR, START + 18 * DAY + 9 * HOUR});
        market.add("kucoin", "other", 8).base = "SOL";
        var sloppy = market.add("bitget", 8);
        sloppy.sloppy = true;
        var stopped = market.add("htx", 1);
        stopped.silences.add(new long[] {START + 33 * DAY + HOUR / 4, Long.MAX_VALUE});
        var young = market.add("aster", 4);
        young.listedMs = START + 20 * DAY;
        young.history = true;
        var other = market.add("bingx", 8);
        other.price = "66000";
        var inverse = market.add("bitmex", 8);
        inverse.type = ContractType.INVERSE;
        inverse.history = true;
        var renamed = market.add("xt", 8);
        renamed.base = "ETH";
        renamed.renamed = "BTC";
        renamed.renamedMs = START + 14 * DAY + 3 * HOUR;
        market.plans.forEach(plan -> {
            if (plan.base.equals("ETH")) {
                plan.history = true;
            }
        });
        return market.run();
    }

    @Test
    void everyPairOf35DaysEqualsAPlainOracleToTheLastDigit() throws Exception {
        SimulatedMarket market = market(35);
        int next = 0;
        var arrived = new ArrayList<SimulatedMarket.Event>();
        for (long tick = START + 11 * 60_000; tick < END; tick += HOUR) {
            for (; next < market.events.size() && market.events.get(next).arrivedMs() <= tick; next++) {
                arrived.add(market.events.get(next));
                send(market.events.get(next));
            }
            tick(tick);
            if ((tick - START) / HOUR % 11 == 0) {
                compare(market, PlainLedgers.of(arrived, market.truth), tick);
            }
        }
        for (; next < market.events.size(); next++) {
            arrived.add(market.events.get(next));
            send(market.events.get(next));
        }
        tick(END + 60_000);
        int complete = compare(market, PlainLedgers.of(arrived, market.truth), END + 60_000);
        assertTrue(complete >= 3, "some pairs are complete in the end: " + complete);
        assertTrue(dead.isEmpty());
        assertTrue(counts.of("missed") > 0 && counts.of("late") > 0, counts::toString);
        assertFalse(table.containsKey("ETH"), "no contract is left of that name");
        CarryTable btc = CarryTable.CODEC.decode(table.get("BTC"));
        assertEquals(12, btc.refused().size(), "one price is beside those of all other linear contracts that are read");
        assertEquals("gap", pair(btc, "binance", "htx").reason());

        byte[] inTime = table.get("BTC");
        var measuredInTime = new TreeMap<>(quality);
        replay(market);
        stopsAnswering(btc);
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
    void settlementsThatCannotBeTrueGoToTheDeadLettersAndOthersWaitForTheirAsset() {
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
        assertTrue(settlements.isEmpty(), "nobody knows of which asset it is");

        var market = new SimulatedMarket(1);
        market.add("okx", 8);
        Quote quote = market.run().events.getFirst().quote();
        quotes.pipeInput(new TestRecord<>(key, Quote.CODEC.encode(renamed(quote)), now));
        Settlement settlement = settlements.readValue();
        assertEquals("BTC", settlement.asset());
        assertEquals(new BigDecimal("0.0001"), settlement.fundingRate());
        assertTrue(settlements.isEmpty());
    }

    private static Quote renamed(Quote q) {
        return new Quote(
                q.venue(),
                "X",
                q.base(),
                q.quote(),
                q.contractType(),
                q.rate(),
                q.rateUnit(),
                q.rateHours(),
                q.rateKind(),
                q.intervalH(),
                q.intervalSource(),
                q.nextFundingMs(),
                q.markPrice(),
                q.indexPrice(),
                q.venueTimeMs(),
                q.observedAtMs());
    }

    /** Everything from the beginning, into the same stores: nothing comes out. */
    private void replay(SimulatedMarket market) {
        settlements.readRecordsToList();
        for (var event : market.events) {
            send(event);
        }
        steadyMs = END + 120_000;
        driver.advanceWallClockTime(Duration.ofSeconds(10));
        assertTrue(settlements.isEmpty(), "no payment");
        assertTrue(tables.isEmpty(), "no table");
        assertTrue(measured.isEmpty(), "no quality");
    }

    /** Hours without any record: the same figures never shrink silently, they turn incomplete and say why. */
    private void stopsAnswering(CarryTable before) throws Exception {
        assertTrue(pair(before, "binance", "mexc").complete());
        tick(END + 9 * HOUR + 11 * 60_000);
        CarryPair pair = pair(CarryTable.CODEC.decode(table.get("BTC")), "binance", "mexc");
        assertFalse(pair.complete());
        assertTrue(Set.of("gap", "settlement_pending").contains(pair.reason()), pair::toString);
        tick(END + 32 * DAY);
        assertNull(table.get("BTC"), "what nobody has heard of for 31 days is gone");
    }

    private static CarryPair pair(CarryTable table, String a, String b) {
        return table.pairs().stream()
                .filter(p -> Set.of(p.longLeg().venue(), p.shortLeg().venue()).equals(Set.of(a, b)))
                .findFirst()
                .orElseThrow();
    }

    private int compare(SimulatedMarket market, TreeMap<ContractKey, PlainLedgers.Listing> expected, long nowMs)
            throws Exception {
        long t = (nowMs - 600_000) / HOUR * HOUR;
        var paid = new TreeMap<String, BigDecimal>();
        expected.forEach((key, listing) -> listing.paid().forEach((at, p) -> {
            if (at > nowMs - 31 * DAY) {
                paid.put(
                        key + " " + listing.epoch() + " " + at + " " + p.basis(),
                        p.rate().stripTrailingZeros());
            }
        }));
        var published = new TreeMap<String, BigDecimal>();
        ledger.values().forEach(s -> {
            var listing = expected.get(s.key());
            if (listing.epoch() == s.listingEpoch()
                    && s.settledMs() > nowMs - 31 * DAY
                    && !isAnother(listing, s.settledMs())) {
                assertEquals(expected.get(s.key()).asset(), s.asset());
                assertTrue(Math.abs(s.settledRawMs() - s.settledMs()) <= 30_000, s::toString);
                published.put(
                        s.key() + " " + s.listingEpoch() + " " + s.settledMs() + " " + s.basis(),
                        s.fundingRate().stripTrailingZeros());
            }
        });
        assertEquals(paid, published);

        compareQuality(expected, t);
        int complete = 0;
        var assets = new HashSet<String>();
        for (var listing : expected.values()) {
            assets.add(listing.asset());
        }
        assertEquals(assets, table.keySet());
        for (String asset : assets) {
            CarryTable actual = CarryTable.CODEC.decode(table.get(asset));
            assertEquals(t, actual.windowEndMs());
            assertEquals(t - 720 * HOUR, actual.windowStartMs());
            int pairs = 0;
            for (var a : expected.entrySet()) {
                for (var b : expected.tailMap(a.getKey(), false).entrySet()) {
                    if (comparable(a.getValue(), b.getValue(), asset, t)) {
                        pairs++;
                        complete += compare(
                                market,
                                pair(actual, a.getKey().venue(), b.getKey().venue()),
                                a,
                                b,
                                t);
                    }
                }
            }
            assertEquals(pairs, actual.pairs().size());
        }
        return complete;
    }

    /** The estimate of a charge whose settlement is stamped late, or the other way round: one settlement, the better basis. */
    private static boolean isAnother(PlainLedgers.Listing listing, long settledMs) {
        return !listing.paid().containsKey(settledMs)
                && !listing.paid()
                        .subMap(settledMs - PlainLedgers.LATE_MS, true, settledMs + PlainLedgers.LATE_MS, true)
                        .isEmpty();
    }

    /** The errors of the window, sorted; the one that half of them, or 95 %, do not exceed. */
    private void compareQuality(TreeMap<ContractKey, PlainLedgers.Listing> expected, long t) {
        var venues = new HashSet<String>();
        expected.forEach((key, listing) -> {
            if (listing.epoch() > 0) {
                return; // its former listing counts as well, of which the oracle knows nothing
            }
            var errors = listing.errors().subMap(t - 720 * HOUR, false, t, true).values().stream()
                    .sorted()
                    .toList();
            if (errors.isEmpty()) {
                assertNull(quality.get(key.venue()));
                return;
            }
            venues.add(key.venue());
            VenueQuality actual = quality.get(key.venue());
            assertEquals(errors.size(), actual.settlements(), key::toString);
            assertEquals(t, actual.windowEndMs());
            assertEquals(t - 720 * HOUR, actual.windowStartMs());
            assertEquals(0, errors.get((errors.size() + 1) / 2 - 1).compareTo(actual.errorP50()), key::toString);
            int rank95 = BigDecimal.valueOf(errors.size() * 95L, 2)
                    .setScale(0, RoundingMode.CEILING)
                    .intValueExact();
            assertEquals(0, errors.get(rank95 - 1).compareTo(actual.errorP95()), key::toString);
        });
        assertEquals(t < START + 9 * HOUR, venues.isEmpty(), "exchanges that announce and publish are measured");
    }

    /** The last price of a contract that is no longer read refuses nothing. */
    private static boolean comparable(PlainLedgers.Listing a, PlainLedgers.Listing b, String asset, long t) {
        boolean oneCoin =
                a.last().markPrice().subtract(b.last().markPrice()).abs().compareTo(new BigDecimal(1_000)) < 0;
        boolean notRead = Math.min(a.last().observedAtMs(), b.last().observedAtMs()) < t - 3 * HOUR;
        return a.asset().equals(asset)
                && b.asset().equals(asset)
                && a.last().contractType() == b.last().contractType()
                && (oneCoin || notRead);
    }

    private int compare(
            SimulatedMarket market,
            CarryPair actual,
            Map.Entry<ContractKey, PlainLedgers.Listing> a,
            Map.Entry<ContractKey, PlainLedgers.Listing> b,
            long t)
            throws Exception {
        int days = Math.min(days(market, a, t), days(market, b, t));
        String what = a.getKey() + " " + b.getKey() + " at " + Instant.ofEpochMilli(t);
        assertEquals(days, actual.days(), what);
        assertEquals(days == 30, actual.complete(), what);
        assertEquals(days == 30, actual.reason() == null, what);
        long from = t - (days == 0 ? 30 : days) * DAY;
        BigDecimal sumA = sum(a.getValue(), from, t);
        BigDecimal sumB = sum(b.getValue(), from, t);
        boolean aIsShort = days > 0 && sumA.compareTo(sumB) > 0;
        var shortLeg = aIsShort ? a : b;
        var longLeg = aIsShort ? b : a;
        leg(shortLeg, actual.shortLeg(), from, t, days, what);
        leg(longLeg, actual.longLeg(), from, t, days, what);
        if (days == 0) {
            assertNull(actual.fundingDifference());
            assertNull(actual.receipt());
            return 0;
        }
        assertEquals(0, sumA.subtract(sumB).abs().compareTo(actual.fundingDifference()), what);
        long positive = 0;
        for (long day = from; day < t; day += DAY) {
            positive += sum(shortLeg.getValue(), day, day + DAY).compareTo(sum(longLeg.getValue(), day, day + DAY)) > 0
                    ? 1
                    : 0;
        }
        assertEquals(positive, actual.positiveDays(), what);
        String lines = lines(a, from, t) + lines(b, from, t);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(lines.getBytes(UTF_8));
        assertEquals(HexFormat.of().formatHex(digest), actual.receipt(), what);
        return days == 30 ? 1 : 0;
    }

    private static void leg(
            Map.Entry<ContractKey, PlainLedgers.Listing> expected,
            CarryLeg actual,
            long from,
            long t,
            int days,
            String what) {
        assertEquals(expected.getKey(), new ContractKey(actual.venue(), actual.symbol()), what);
        assertEquals(expected.getValue().epoch(), actual.listingEpoch(), what);
        var paid = expected.getValue().paid().subMap(from, false, t, true);
        assertEquals(paid.size(), actual.settlements(), what);
        assertTrue(days == 0 ? actual.expected() >= paid.size() : actual.expected() == paid.size(), what + actual);
        assertEquals(paid.isEmpty() ? null : paid.firstKey(), actual.firstSettlementMs(), what);
        assertEquals(paid.isEmpty() ? null : paid.lastKey(), actual.lastSettlementMs(), what);
        if (days == 0) {
            assertNull(actual.fundingSum(), what);
        } else {
            assertEquals(0, sum(expected.getValue(), from, t).compareTo(actual.fundingSum()), what);
        }
    }

    /** Days back to the last instant at which it truly charged, or was listed, and nothing is known. */
    private static int days(SimulatedMarket market, Map.Entry<ContractKey, PlainLedgers.Listing> contract, long t) {
        var unknown = new TreeSet<>(market.truth.get(contract.getKey()).headSet(t, true));
        var paid = contract.getValue().paid();
        unknown.removeIf(at -> !paid.subMap(at - PlainLedgers.LATE_MS, true, at + PlainLedgers.LATE_MS, true)
                .isEmpty());
        return unknown.isEmpty() ? 30 : (int) Math.min(30, (t - unknown.last()) / DAY);
    }

    private static BigDecimal sum(PlainLedgers.Listing listing, long from, long to) {
        BigDecimal sum = BigDecimal.ZERO;
        for (var paid : listing.paid().entrySet()) {
            if (paid.getKey() > from && paid.getKey() <= to) {
                sum = sum.add(paid.getValue().rate());
            }
        }
        return sum;
    }

    /** As anybody would write them who has read the topic of settlements. */
    private String lines(Map.Entry<ContractKey, PlainLedgers.Listing> contract, long from, long t) {
        var lines = new TreeMap<Long, String>();
        for (Settlement s : ledger.values()) {
            if (s.key().equals(contract.getKey())
                    && s.listingEpoch() == contract.getValue().epoch()
                    && s.settledMs() > from
                    && s.settledMs() <= t
                    && !isAnother(contract.getValue(), s.settledMs())) {
                String rate = s.fundingRate().signum() == 0
                        ? "0"
                        : s.fundingRate().stripTrailingZeros().toPlainString();
                lines.put(
                        s.settledMs(),
                        s.venue() + "|" + s.symbol() + "|" + s.listingEpoch() + "|" + s.settledMs() + "|" + rate + "|"
                                + s.basis().name().toLowerCase(java.util.Locale.ROOT) + "\n");
            }
        }
        return String.join("", lines.values());
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
    }

    private void tick(long nowMs) {
        steadyMs = nowMs;
        driver.advanceWallClockTime(Duration.ofSeconds(10));
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
