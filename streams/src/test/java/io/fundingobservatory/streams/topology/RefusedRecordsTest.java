package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.SeededQuotes;
import io.fundingobservatory.topics.records.Quote;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot be read, and what fails where nobody foresaw it: a dead letter with its reason, and no neighbour is harmed. */
class RefusedRecordsTest {
    private static final long T0 = RatesDriver.T0;

    @RegisterExtension
    private final RatesDriver rates = new RatesDriver();

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
        var unreadable = new LinkedHashMap<String, String>(Map.of(
                "empty value",
                "",
                "not JSON",
                "<html>",
                "truncated",
                good.substring(0, good.length() / 2),
                "two objects",
                good + good,
                "a list",
                "[" + good + "]",
                "null",
                "null",
                "a missing field",
                good.replace("\"base\"", "\"bass\""),
                "deeply nested",
                "[".repeat(100_000)));
        for (String number : List.of("NaN", "1e400", "1e-999999999", "1e99999999999", "\"0.0001\"")) {
            unreadable.put("a rate of " + number, rate.formatted(number));
        }
        unreadable.put("10,000 digits", rate.formatted("9".repeat(10_000)));
        unreadable.put("2 MB", rate.formatted("\"" + "x".repeat(2_000_000) + "\""));
        return Stream.concat(
                unreadable.entrySet().stream()
                        .map(text ->
                                Arguments.of(text.getKey(), k, text.getValue().getBytes(UTF_8), null, "unreadable")),
                Stream.of(
                        Arguments.of("null key", null, value, null, "no_key"),
                        Arguments.of("null value", k, null, null, "no_value"),
                        Arguments.of("random bytes", k, new byte[] {0, 1, 2, (byte) 0xfe, 7, 9}, null, "unreadable"),
                        Arguments.of("bad UTF-8 in the value", k, badUtf8, null, "unreadable"),
                        Arguments.of(
                                "bad UTF-8 in the key", new byte[] {(byte) 0xc3, 0x28}, value, null, "key_mismatch"),
                        Arguments.of("UTF-16", k, good.getBytes(Charset.forName("UTF-16LE")), null, "unreadable"),
                        Arguments.of("unknown version", k, value, "quote/2", "unknown_schema"),
                        Arguments.of("another schema", k, value, "rate/1", "unknown_schema"),
                        Arguments.of("another key", "okx|BTC".getBytes(UTF_8), value, "quote/1", "key_mismatch"),
                        Arguments.of(
                                "an unlisted venue",
                                key.replaceFirst("^[^|]*", "mtgox").getBytes(UTF_8),
                                good.replaceFirst("\"venue\":\"[^\"]*", "\"venue\":\"mtgox")
                                        .getBytes(UTF_8),
                                "quote/1",
                                "unlisted_venue")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("poison")
    void poisonIsOneDeadLetterAndHarmsNobody(String what, byte[] key, byte[] value, String schema, String reason) {
        Quote before = SeededQuotes.plausible(4, T0);
        rates.send(before, T0);
        var headers = new RecordHeaders();
        if (schema != null) {
            headers.add("schema", schema.getBytes(UTF_8));
        }
        headers.add("reason", "made up".getBytes(UTF_8));
        rates.quotes.pipeInput(new TestRecord<>(key, value, headers, T0));
        Quote after = SeededQuotes.readAt(before, T0 + 1);
        rates.send(after, T0 + 1);

        assertEquals(2, rates.normalised.readValuesToList().size());
        TestRecord<byte[], byte[]> letter = rates.dead.readRecord();
        assertTrue(rates.dead.isEmpty());
        assertArrayEquals(key, letter.key());
        assertArrayEquals(
                value == null || value.length <= 1 << 20 ? value : Arrays.copyOf(value, 1 << 20), letter.value());
        assertEquals(reason, RatesDriver.header(letter, "reason"));
        assertEquals(reason.equals("unlisted_venue") ? "normalise" : "read-quote", RatesDriver.header(letter, "stage"));
        assertEquals("quotes.raw", RatesDriver.header(letter, "source-topic"));
        assertEquals("0", RatesDriver.header(letter, "source-partition"));
        assertEquals("1", RatesDriver.header(letter, "source-offset"));
        assertEquals(
                schema, letter.headers().lastHeader("schema") == null ? null : RatesDriver.header(letter, "schema"));
        assertEquals(Map.of(reason, 1L), rates.counts.refusals());
    }

    /** Something fails that nobody foresaw: the record is a dead letter, nothing of it is kept, and its neighbours are unharmed. */
    @Test
    void failingRecordStopsAndChangesNothing() {
        Quote before = SeededQuotes.plausible(14, T0);
        rates.send(before, T0);
        rates.counts.failAt("accepted", 2);
        Quote failing = SeededQuotes.readAt(before, T0 + 60_000);
        rates.send(failing, T0 + 60_000);
        assertEquals(T0, rates.normalised.readValue().observedAtMs());
        assertTrue(rates.latest.readValuesToList().size() == 1 && rates.normalised.isEmpty());
        TestRecord<byte[], byte[]> letter = rates.dead.readRecord();
        assertArrayEquals(Quote.CODEC.encode(failing), letter.value());
        assertArrayEquals(failing.key().toString().getBytes(UTF_8), letter.key());
        assertEquals(T0 + 60_000, letter.timestamp());
        Map.of(
                        "reason", "processing_failed",
                        "stage", "quotes",
                        "detail", "IllegalStateException",
                        "source-topic", "quotes.raw",
                        "source-partition", "0",
                        "source-offset", "1")
                .forEach((name, value) -> assertEquals(value, RatesDriver.header(letter, name), name));
        rates.send(SeededQuotes.readAt(before, T0 + 120_000), T0 + 120_000);
        assertEquals(T0 + 120_000, rates.normalised.readValue().observedAtMs());
        assertTrue(rates.dead.isEmpty());
    }

    /** What fails at one tick is done by the next one, and the other rows are removed. */
    @Test
    void aTickAtWhichSomethingFailsStopsNothing() {
        Quote first = SeededQuotes.plausible(15, T0);
        Quote second = SeededQuotes.plausible(16, T0);
        rates.send(first, T0);
        rates.send(second, T0);
        rates.latest.readValuesToList();
        rates.counts.failAt("removed", 1);
        rates.pass(Duration.ofSeconds(620));
        assertEquals(
                Set.of(first.key().toString(), second.key().toString()),
                Set.copyOf(rates.latest.readRecordsToList().stream()
                        .filter(row -> row.value() == null)
                        .map(TestRecord::key)
                        .toList()));
        assertTrue(rates.dead.isEmpty(), "a tick is no record");
        rates.send(SeededQuotes.readAt(first, T0 + 630_000), T0 + 630_000);
        assertEquals(T0 + 630_000, rates.latest.readValue().observedAtMs());
    }

    /** 900 kB of foreign headers on a quote would make every output larger than its topic takes. */
    @Test
    void foreignHeadersStayAtTheDoor() {
        Quote quote = SeededQuotes.plausible(13, T0);
        var headers = new RecordHeaders().add("trace", new byte[900_000]);
        rates.quotes.pipeInput(new TestRecord<>(
                quote.key().toString().getBytes(UTF_8), Quote.CODEC.encode(quote), headers, Instant.ofEpochMilli(T0)));
        for (var record : List.of(rates.normalised.readRecord(), rates.latest.readRecord())) {
            assertEquals(
                    List.of("schema"),
                    Arrays.stream(record.headers().toArray()).map(Header::key).toList());
        }
    }
}
