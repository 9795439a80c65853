package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.SeededQuotes;
import io.fundingobservatory.streams.UnforeseenFailures;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.processors.Stores;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.Topics;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
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

    private long steadyMs = T0;
    private final CountedMetrics counts = new CountedMetrics();
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
        config.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, UnforeseenFailures.class);
        var topology = RatesTopology.draw(config, () -> steadyMs, counts);
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
        String drawn = RatesTopology.draw(config, () -> 0, counts).describe().toString();
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
    void removesRowsAndForgetsThemWhenNoTopicHoldsThemAnyMore() {
        Quote quote = SeededQuotes.plausible(5, T0);
        send(quote, T0);
        latest.readValuesToList();
        normalised.readValuesToList();

        pass(Duration.ofSeconds(600));
        assertTrue(latest.isEmpty(), "600 s are not yet more than 600 s");
        pass(Duration.ofSeconds(10));
        TestRecord<String, Rate> tombstone = latest.readRecord();
        assertEquals(quote.key().toString(), tombstone.key());
        assertNull(tombstone.value());
        assertEquals(1, counts.of("removed"));
        pass(Duration.ofSeconds(60));
        assertTrue(latest.isEmpty(), "removed once, not every ten seconds");

        send(SeededQuotes.readAt(quote, T0 - 1), T0 + 670_000);
        send(quote, T0 + 670_000);
        assertTrue(latest.isEmpty(), "an old quote does not bring the row back");
        assertTrue(normalised.isEmpty(), "time alone is no event");

        send(SeededQuotes.readAt(quote, T0 + 671_000), T0 + 671_000);
        assertEquals(T0 + 671_000, latest.readValue().observedAtMs(), "the next observation does");

        jump(Duration.ofDays(10));
        send(SeededQuotes.readAt(quote, T0 + 1_000), T0 + 1_000);
        latest.readValuesToList();
        assertTrue(normalised.readValuesToList().size() == 1, "also after more days than quotes.raw is kept");
        jump(Duration.ofDays(31));
        assertNull(contract(quote));
    }

    private ContractState contract(Quote quote) {
        return driver.<byte[], ContractState>getKeyValueStore(Stores.CONTRACTS)
                .get(quote.key().toString().getBytes(UTF_8));
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
        assertEquals(T0, normalised.readValue().observedAtMs());
        assertEquals(T0, latest.readValue().observedAtMs());
    }

    /** The clock of the ingest that has taken a venue over is an hour behind: three polls later its readings count as of their arrival. */
    @Test
    void aReaderWhoseClockIsAnHourBehindLosesNoRowForAnHour() {
        Quote quote = SeededQuotes.plausible(11, T0);
        send(quote, T0);
        normalised.readValuesToList();
        latest.readValuesToList();
        long hour = Duration.ofHours(1).toMillis();
        for (int poll = 1; poll <= 30; poll++) {
            pass(Duration.ofSeconds(60));
            long now = T0 + poll * 60_000L;
            send(SeededQuotes.readAt(quote, now - hour - 300), now);
        }
        List<Rate> shown = normalised.readValuesToList();
        assertEquals(28, shown.size(), "from the third on");
        assertEquals(T0 + 3 * 60_000L, shown.getFirst().observedAtMs(), "by the broker's time");
        assertTrue(latest.readValuesToList().stream().noneMatch(Objects::isNull), "and no row was removed");
        assertEquals(28, counts.of("reader behind"));

        pass(Duration.ofSeconds(60));
        send(SeededQuotes.readAt(quote, T0 + 31 * 60_000L), T0 + 31 * 60_000L + 200);
        assertEquals(T0 + 31 * 60_000L, normalised.readValue().observedAtMs(), "put right, it is believed at once");
    }

    @Test
    void copiesThatComeLateAreNoClock() {
        Quote quote = SeededQuotes.plausible(12, T0);
        send(quote, T0);
        normalised.readValuesToList();
        // A backlog of an hour, a poll a minute, handed in at once; then yesterday's quotes replayed ten times as fast.
        for (int poll = 0; poll < 60; poll++) {
            send(SeededQuotes.readAt(quote, T0 - 3_600_000 + poll * 60_000L), T0 + poll);
        }
        for (int poll = 0; poll < 60; poll++) {
            pass(Duration.ofSeconds(10));
            send(SeededQuotes.readAt(quote, T0 - 80_000_000 + poll * 100_000L), T0 + 1_000 + poll * 10_000L);
        }
        assertTrue(normalised.isEmpty());
        assertEquals(0, counts.of("reader behind"));
    }

    /** Something fails that nobody foresaw: the record is a dead letter, nothing of it is kept, and its neighbours are unharmed. */
    @Test
    void aRecordAtWhichSomethingFailsStopsNothingAndLeavesNothing() {
        Quote before = SeededQuotes.plausible(14, T0);
        send(before, T0);
        counts.failAt("accepted", 2);
        Quote failing = SeededQuotes.readAt(before, T0 + 60_000);
        send(failing, T0 + 60_000);
        assertEquals(T0, contract(before).listing().last().observedAtMs());
        TestRecord<byte[], byte[]> letter = dead.readRecord();
        assertArrayEquals(Quote.CODEC.encode(failing), letter.value());
        assertEquals("processing_failed", header(letter, "reason"));
        assertEquals("quotes", header(letter, "stage"));
        assertEquals("1", header(letter, "source-offset"));
        send(SeededQuotes.readAt(before, T0 + 120_000), T0 + 120_000);
        assertEquals(
                List.of(T0, T0 + 120_000),
                normalised.readValuesToList().stream().map(Rate::observedAtMs).toList());
        assertTrue(dead.isEmpty());
    }

    /** What a tick cannot do is done by the next one, and the rows beside it are removed. */
    @Test
    void aTickAtWhichSomethingFailsStopsNothing() {
        Quote first = SeededQuotes.plausible(15, T0);
        Quote second = SeededQuotes.plausible(16, T0);
        send(first, T0);
        send(second, T0);
        latest.readValuesToList();
        counts.failAt("removed", 1);
        pass(Duration.ofSeconds(620));
        assertEquals(
                Set.of(first.key().toString(), second.key().toString()),
                Set.copyOf(latest.readRecordsToList().stream()
                        .filter(row -> row.value() == null)
                        .map(TestRecord::key)
                        .toList()));
        assertTrue(dead.isEmpty(), "a tick is no record");
        send(SeededQuotes.readAt(first, T0 + 630_000), T0 + 630_000);
        assertEquals(T0 + 630_000, latest.readValue().observedAtMs());
    }

    /** 900 kB of headers that somebody else put on a quote would make every output larger than its topic takes. */
    @Test
    void foreignHeadersStayAtTheDoor() {
        Quote quote = SeededQuotes.plausible(13, T0);
        var headers = new RecordHeaders().add("trace", new byte[900_000]);
        quotes.pipeInput(new TestRecord<>(
                quote.key().toString().getBytes(UTF_8), Quote.CODEC.encode(quote), headers, Instant.ofEpochMilli(T0)));
        for (var record : List.of(normalised.readRecord(), latest.readRecord())) {
            assertEquals(
                    List.of("schema"),
                    Arrays.stream(record.headers().toArray()).map(Header::key).toList());
        }
    }

    private void send(Quote quote, long arrivedMs) {
        quotes.pipeInput(new TestRecord<>(
                quote.key().toString().getBytes(UTF_8), Quote.CODEC.encode(quote), Instant.ofEpochMilli(arrivedMs)));
    }

    private void pass(Duration time) {
        for (long ms = time.toMillis(); ms > 0; ms -= 10_000) {
            steadyMs += Math.min(ms, 10_000);
            driver.advanceWallClockTime(Duration.ofSeconds(10));
        }
    }

    private void jump(Duration time) {
        steadyMs += time.toMillis();
        driver.advanceWallClockTime(time);
    }

    private static String header(TestRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }
}
