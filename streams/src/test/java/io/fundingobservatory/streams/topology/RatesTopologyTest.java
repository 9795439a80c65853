package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.SeededQuotes;
import io.fundingobservatory.streams.core.Age;
import io.fundingobservatory.topics.Basis;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.Topics;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RatesTopologyTest {
    private static final long T0 = 1_790_000_000_000L;

    @TempDir
    Path state;

    private long wallMs = T0;
    private long steadyMs = 5_000;
    private final Counts counts = new Counts();
    private TopologyTestDriver driver;
    private TestInputTopic<byte[], byte[]> quotes;
    private TestOutputTopic<String, Rate> normalised;
    private TestOutputTopic<String, Rate> latest;
    private TestOutputTopic<byte[], byte[]> dead;

    @BeforeEach
    void open() {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        var topology = RatesTopology.draw(config, () -> Instant.ofEpochMilli(wallMs), () -> steadyMs, counts);
        driver = new TopologyTestDriver(topology, config, Instant.ofEpochMilli(T0));
        quotes =
                driver.createInputTopic(Topics.QUOTES_RAW.name(), new ByteArraySerializer(), new ByteArraySerializer());
        var text = new StringDeserializer();
        normalised =
                driver.createOutputTopic(Topics.RATES_NORMALISED.name(), text, Topics.RATES_NORMALISED.deserializer());
        latest = driver.createOutputTopic(Topics.RATES_LATEST.name(), text, Topics.RATES_LATEST.deserializer());
        dead = driver.createOutputTopic(
                Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void looksAsDrawn() throws Exception {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        String drawn = RatesTopology.draw(config, Instant::now, () -> 0, counts)
                .describe()
                .toString();
        String golden =
                new String(getClass().getResourceAsStream("/topology.txt").readAllBytes(), UTF_8);
        assertEquals(golden.strip(), drawn.strip());
        assertFalse(drawn.contains("KSTREAM-"), "every node has a name");
    }

    @Test
    void aQuoteBecomesAnEventAndTheLatestRow() {
        Quote quote = SeededQuotes.plausible(1, T0);
        send(quote, T0 + 40);

        var event = normalised.readRecord();
        var row = latest.readRecord();
        Rate expected = new SeededQuotes(0).expected(quote);
        assertEquals(quote.key().toString(), event.key());
        assertEquals(expected, event.value());
        assertEquals(expected, row.value());
        assertEquals(T0 + 40, event.timestamp());
        assertEquals("rate/1", new String(event.headers().lastHeader("schema").value(), UTF_8));
        assertEquals("rate/1", new String(row.headers().lastHeader("schema").value(), UTF_8));
        assertTrue(dead.isEmpty());
    }

    @Test
    void duplicatesAndLateReadsProduceNothing() {
        Quote first = SeededQuotes.plausible(2, T0);
        Quote newer = SeededQuotes.readAt(first, T0 + 60_000);
        for (Quote quote : List.of(first, first, newer, first, newer, SeededQuotes.readAt(first, T0 + 59_999))) {
            send(quote, T0 + 60_000);
        }
        assertEquals(
                List.of(T0, T0 + 60_000),
                normalised.readValuesToList().stream().map(Rate::observedAtMs).toList());
        assertEquals(2, latest.readValuesToList().size());
        assertEquals(4, counts.of("superseded"));
        assertTrue(dead.isEmpty());
    }

    /** Duplicated, delayed and shuffled, the events of each contract equal those of a plain model, to the last digit. */
    @Test
    void equalsAPlainModelOnSeededQuotes() {
        for (long seed = 1; seed <= 3; seed++) {
            var source = new SeededQuotes(seed);
            var random = new Random(seed);
            var sent = new ArrayList<Quote>();
            var expected = new HashMap<String, List<Rate>>();
            int refused = 0;
            for (int i = 0; i < 5_000; i++) {
                long at = T0 + seed * 10_000_000 + i * 10L;
                Quote quote = switch (random.nextInt(10)) {
                    case 0 -> sent.isEmpty() ? source.next(at) : sent.get(random.nextInt(sent.size()));
                    case 1 ->
                        sent.isEmpty()
                                ? source.next(at)
                                : SeededQuotes.readAt(sent.get(random.nextInt(sent.size())), at);
                    default -> source.next(at - random.nextInt(2_000));
                };
                sent.add(quote);
                Rate rate = source.expected(quote);
                if (rate != null) {
                    expected.computeIfAbsent(rate.key().toString(), k -> new ArrayList<>())
                            .add(rate);
                }
                send(quote, at);
            }
            var events = new HashMap<String, List<Rate>>();
            normalised
                    .readRecordsToList()
                    .forEach(r -> events.computeIfAbsent(r.key(), k -> new ArrayList<>())
                            .add(r.value()));
            assertEquals(expected, events);
            Map<String, Rate> rows = latest.readKeyValuesToMap();
            expected.forEach((key, rates) -> assertEquals(rates.getLast(), rows.get(key)));
            refused += dead.readRecordsToList().size();
            assertTrue(refused < 500, "most of what is drawn is plausible: " + refused);
        }
        assertTrue(counts.of("accepted") > 10_000, counts::toString);
        assertTrue(counts.of("superseded") > 500, counts::toString);
    }

    static Stream<Arguments> poison() {
        String good = new String(Quote.CODEC.encode(SeededQuotes.readAt(SeededQuotes.plausible(3, T0), T0)), UTF_8);
        String key = SeededQuotes.plausible(3, T0).key().toString();
        byte[] value = good.getBytes(UTF_8);
        byte[] k = key.getBytes(UTF_8);
        String rate = good.replaceFirst("\"rate\":[^,]*", "\"rate\":%s");
        byte[] badUtf8 = good.replace("USDT", "US?T").getBytes(UTF_8);
        badUtf8[good.replace("USDT", "US?T").getBytes(UTF_8).length - 1] = '}';
        for (int i = 0; i < badUtf8.length; i++) {
            badUtf8[i] = badUtf8[i] == '?' ? (byte) 0xff : badUtf8[i];
        }
        return Stream.of(
                Arguments.of("null key", null, value, null, "no_key"),
                Arguments.of("null value", k, null, null, "no_value"),
                Arguments.of("empty value", k, new byte[0], null, "unreadable"),
                Arguments.of("random bytes", k, new byte[] {0, 1, 2, (byte) 0xfe, 7, 9}, null, "unreadable"),
                Arguments.of("bad UTF-8 in the value", k, badUtf8, null, "unreadable"),
                Arguments.of("bad UTF-8 in the key", new byte[] {(byte) 0xc3, 0x28}, value, null, "key_mismatch"),
                Arguments.of("not JSON", k, "<html>".getBytes(UTF_8), null, "unreadable"),
                Arguments.of(
                        "truncated", k, good.substring(0, good.length() / 2).getBytes(UTF_8), null, "unreadable"),
                Arguments.of("two objects", k, (good + good).getBytes(UTF_8), null, "unreadable"),
                Arguments.of("a list", k, ("[" + good + "]").getBytes(UTF_8), null, "unreadable"),
                Arguments.of("null", k, "null".getBytes(UTF_8), null, "unreadable"),
                Arguments.of("UTF-16", k, good.getBytes(Charset.forName("UTF-16LE")), null, "unreadable"),
                Arguments.of("NaN", k, rate.formatted("NaN").getBytes(UTF_8), null, "unreadable"),
                Arguments.of("1e400", k, rate.formatted("1e400").getBytes(UTF_8), null, "unreadable"),
                Arguments.of("1e-999999999", k, rate.formatted("1e-999999999").getBytes(UTF_8), null, "unreadable"),
                Arguments.of(
                        "an exponent beyond 32 bits",
                        k,
                        rate.formatted("1e99999999999").getBytes(UTF_8),
                        null,
                        "unreadable"),
                Arguments.of(
                        "10,000 digits", k, rate.formatted("9".repeat(10_000)).getBytes(UTF_8), null, "unreadable"),
                Arguments.of(
                        "a text for a number", k, rate.formatted("\"0.0001\"").getBytes(UTF_8), null, "unreadable"),
                Arguments.of(
                        "a missing field",
                        k,
                        good.replace("\"base\"", "\"bass\"").getBytes(UTF_8),
                        null,
                        "unreadable"),
                Arguments.of(
                        "2 MB",
                        k,
                        rate.formatted("\"" + "x".repeat(2_000_000) + "\"").getBytes(UTF_8),
                        null,
                        "unreadable"),
                Arguments.of("deeply nested", k, ("[".repeat(100_000)).getBytes(UTF_8), null, "unreadable"),
                Arguments.of("unknown version", k, value, "quote/2", "unknown_schema"),
                Arguments.of("another schema", k, value, "rate/1", "unknown_schema"),
                Arguments.of("another contract's key", "okx|BTC".getBytes(UTF_8), value, "quote/1", "key_mismatch"),
                Arguments.of(
                        "an unlisted venue",
                        key.replaceFirst("^[^|]*", "mtgox").getBytes(UTF_8),
                        good.replaceFirst("\"venue\":\"[^\"]*", "\"venue\":\"mtgox")
                                .getBytes(UTF_8),
                        "quote/1",
                        "unlisted_venue"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("poison")
    void poisonGoesToTheDeadLettersOnceAndHarmsNoNeighbour(
            String what, byte[] key, byte[] value, String schema, String reason) {
        Quote before = SeededQuotes.plausible(4, T0);
        send(before, T0);
        var headers = new RecordHeaders();
        if (schema != null) {
            headers.add("schema", schema.getBytes(UTF_8));
        }
        headers.add("reason", "made up".getBytes(UTF_8));
        quotes.pipeInput(new TestRecord<>(key, value, headers, T0));
        Quote after = SeededQuotes.readAt(before, T0 + 1);
        send(after, T0 + 1);

        assertEquals(2, normalised.readValuesToList().size());
        TestRecord<byte[], byte[]> letter = dead.readRecord();
        assertTrue(dead.isEmpty());
        assertArrayEquals(key, letter.key());
        assertArrayEquals(value, letter.value());
        assertEquals(reason, header(letter, "reason"));
        assertEquals(reason.equals("unlisted_venue") ? "normalise" : "read-quote", header(letter, "stage"));
        assertEquals("quotes.raw", header(letter, "source-topic"));
        assertEquals("0", header(letter, "source-partition"));
        assertEquals("1", header(letter, "source-offset"));
        assertEquals(schema, letter.headers().lastHeader("schema") == null ? null : header(letter, "schema"));
        assertEquals(Map.of(reason, 1L), counts.refusals());
    }

    @Test
    void marksRowsThenRemovesThemThenForgetsThem() {
        Quote quote = SeededQuotes.plausible(5, T0);
        send(quote, T0);
        latest.readValuesToList();
        normalised.readValuesToList();

        pass(Duration.ofSeconds(180));
        assertTrue(latest.isEmpty(), "180 s are not yet more than 180 s");
        pass(Duration.ofSeconds(10));
        Rate marked = latest.readValue();
        assertTrue(marked.stale());
        assertEquals(T0, marked.observedAtMs());
        pass(Duration.ofSeconds(400));
        assertTrue(latest.isEmpty(), "marked once, not every ten seconds");
        pass(Duration.ofSeconds(20));
        TestRecord<String, Rate> tombstone = latest.readRecord();
        assertEquals(quote.key().toString(), tombstone.key());
        assertNull(tombstone.value());

        send(SeededQuotes.readAt(quote, T0 - 1), T0 + 620_000);
        send(quote, T0 + 620_000);
        assertTrue(latest.isEmpty(), "an old quote does not bring the row back");
        assertTrue(normalised.isEmpty(), "time alone is no event");

        send(SeededQuotes.readAt(quote, T0 + 621_000), T0 + 621_000);
        assertFalse(latest.readValue().stale(), "the next observation does");

        pass(Duration.ofDays(4).plusSeconds(40));
        latest.readValuesToList();
        assertNull(driver.getKeyValueStore("latest-rates")
                .get(quote.key().toString().getBytes(UTF_8)));
    }

    @Test
    void aWallClockThatJumpsAgesNothing() {
        Quote quote = SeededQuotes.plausible(6, T0);
        send(quote, T0);
        latest.readValuesToList();
        for (Duration jump : List.of(Duration.ofHours(1), Duration.ofHours(-2), Duration.ofDays(30))) {
            wallMs += jump.toMillis();
            driver.advanceWallClockTime(Duration.ofSeconds(10));
            assertTrue(latest.isEmpty(), "after a jump by " + jump);
        }
    }

    /** Before the first record after a start there is only the wall clock; what it did wrong is undone when records arrive. */
    @Test
    void whatAWrongClockRemovedAfterARestartComesBack() {
        Quote quote = SeededQuotes.plausible(7, T0);
        Quote other = SeededQuotes.plausible(8, T0 + 1_000);
        Rate rate = new SeededQuotes(0).expected(quote);
        byte[] key = quote.key().toString().getBytes(UTF_8);
        driver.<byte[], Kept>getKeyValueStore("latest-rates").put(key, Kept.of(Age.FRESH, rate));

        wallMs += Duration.ofDays(30).toMillis();
        driver.advanceWallClockTime(Duration.ofSeconds(10));
        assertNull(latest.readRecord().value());
        driver.advanceWallClockTime(Duration.ofSeconds(10));
        assertEquals(
                Age.GONE,
                driver.<byte[], Kept>getKeyValueStore("latest-rates").get(key).shown(),
                "not forgotten");

        send(other, T0 + 1_000);
        assertEquals(other.key().toString(), latest.readRecord().key());
        driver.advanceWallClockTime(Duration.ofSeconds(10));
        assertEquals(rate, latest.readValue());
        assertEquals(1, normalised.readValuesToList().size());
    }

    @Test
    void aReaderWhoseClockRunsAheadIsRefused() {
        Quote quote = SeededQuotes.plausible(9, T0);
        send(SeededQuotes.readAt(quote, T0 + Duration.ofHours(1).toMillis()), T0);
        send(quote, T0);
        assertEquals(
                List.of(T0),
                normalised.readValuesToList().stream().map(Rate::observedAtMs).toList());
        assertEquals("observed_in_the_future", header(dead.readRecord(), "reason"));
    }

    @Test
    void aQuoteThatComesLateIsShownAsOldAsItIs() {
        Quote quote = SeededQuotes.plausible(10, T0);
        send(quote, T0 + 200_000);
        assertFalse(normalised.readValue().stale());
        assertTrue(latest.readValue().stale());
    }

    private void send(Quote quote, long arrivedMs) {
        quotes.pipeInput(new TestRecord<>(
                quote.key().toString().getBytes(UTF_8), Quote.CODEC.encode(quote), Instant.ofEpochMilli(arrivedMs)));
    }

    private void pass(Duration time) {
        for (long ms = time.toMillis(); ms > 0; ms -= 10_000) {
            steadyMs += Math.min(ms, 10_000);
            wallMs += Math.min(ms, 10_000);
            driver.advanceWallClockTime(Duration.ofSeconds(10));
        }
    }

    private static String header(TestRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    /** Counts by name; refusals by reason. */
    static final class Counts implements Tally {
        private final Map<String, Long> counts = new TreeMap<>();
        private final Map<String, Long> refusals = new TreeMap<>();

        long of(String name) {
            return counts.getOrDefault(name, 0L);
        }

        Map<String, Long> refusals() {
            return refusals;
        }

        @Override
        public void read() {
            counts.merge("read", 1L, Long::sum);
        }

        @Override
        public void accepted() {
            counts.merge("accepted", 1L, Long::sum);
        }

        @Override
        public void superseded() {
            counts.merge("superseded", 1L, Long::sum);
        }

        @Override
        public void refused(String stage, String reason) {
            refusals.merge(reason, 1L, Long::sum);
        }

        @Override
        public void stale() {
            counts.merge("stale", 1L, Long::sum);
        }

        @Override
        public void removed() {
            counts.merge("removed", 1L, Long::sum);
        }

        @Override
        public void paid(Basis basis) {
            counts.merge(basis.name(), 1L, Long::sum);
        }

        @Override
        public void missed() {
            counts.merge("missed", 1L, Long::sum);
        }

        @Override
        public void late() {
            counts.merge("late", 1L, Long::sum);
        }

        @Override
        public void tabled() {
            counts.merge("tabled", 1L, Long::sum);
        }

        @Override
        public void tooLarge() {
            counts.merge("too large", 1L, Long::sum);
        }

        @Override
        public String toString() {
            return counts + " refused " + refusals;
        }
    }
}
