package io.fundingobservatory.topics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.json.UnwritableRecord;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.Settlement;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCodecTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<JsonCodec<?>, Function<SampleRecords, Object>> SAMPLES = Map.of(
            Quote.CODEC, SampleRecords::quote,
            Rate.CODEC, SampleRecords::latest,
            SettledRate.CODEC, SampleRecords::settledRate,
            Settlement.CODEC, SampleRecords::settlement,
            ContractEvent.CODEC, SampleRecords::contractEvent,
            CarryTable.CODEC, SampleRecords::carryTable,
            VenueStatus.CODEC, SampleRecords::venueStatus,
            VenueQuality.CODEC, SampleRecords::venueQuality,
            HistoryProgress.CODEC, SampleRecords::historyProgress);

    static Stream<JsonCodec<?>> codecs() {
        return Topics.typed().stream().<JsonCodec<?>>map(Topic::codec).distinct();
    }

    @SuppressWarnings("unchecked")
    private static <T> T sample(JsonCodec<T> codec, long seed) {
        return (T) SAMPLES.get(codec).apply(new SampleRecords(seed));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    <T> void everyRecordComesBackAsItWas(JsonCodec<T> codec) throws MalformedRecord {
        for (int seed = 0; seed < 2_000; seed++) {
            T record = sample(codec, seed);
            byte[] bytes = codec.encode(record);
            assertEquals(record, codec.decode(bytes));
            assertArrayEquals(bytes, codec.encode(codec.decode(bytes)));
        }
    }

    /** The same number in another spelling (1E+3 for 1000) is the same record: its bytes are the same again. */
    @ParameterizedTest
    @MethodSource("codecs")
    <T> void oddRecordIsRejectedOrUnchanged(JsonCodec<T> codec) throws MalformedRecord {
        int refused = 0;
        for (int seed = 0; seed < 4_000; seed++) {
            T record = odd(codec, seed);
            byte[] bytes;
            try {
                bytes = codec.encode(record);
            } catch (UnwritableRecord e) {
                assertTrue(e.getMessage().length() < 200, e.getMessage());
                refused++;
                continue;
            }
            assertArrayEquals(bytes, codec.encode(codec.decode(bytes)));
        }
        assertTrue(refused < 4_000, "refused " + refused);
    }

    @SuppressWarnings("unchecked")
    private static <T> T odd(JsonCodec<T> codec, long seed) {
        return (T) SAMPLES.get(codec).apply(SampleRecords.odd(seed));
    }

    @Test
    void writesExactlyNumbersItCanRead() {
        var random = SampleRecords.odd(1);
        Rate row = new SampleRecords(7).latest();
        String before = new String(Rate.CODEC.encode(withRate(row, new BigDecimal("0.123"))), StandardCharsets.UTF_8);
        int refused = 0;
        for (int i = 0; i < 4_000; i++) {
            BigDecimal value = random.oddDecimal();
            boolean written = written(Rate.CODEC, withRate(row, value));
            assertEquals(written, read(Rate.CODEC, before.replace("0.123", value.toPlainString())), value::toString);
            refused += written ? 0 : 1;
        }
        assertTrue(refused > 500 && refused < 3_500, "refused " + refused);
        assertFalse(written(Rate.CODEC, withRate(row, new BigDecimal("1E+64"))), "65 digits once written out");
        assertTrue(written(Rate.CODEC, withRate(row, new BigDecimal("1E+63"))));
        assertFalse(written(Rate.CODEC, withRate(row, new BigDecimal("1E+999999999"))), "a thousand million digits");
        assertTrue(written(Rate.CODEC, withRate(row, new BigDecimal("1E-64"))));
        assertFalse(written(Rate.CODEC, withRate(row, new BigDecimal("1E-65"))));
    }

    @Test
    void writesExactlyTextsItCanRead() {
        var random = SampleRecords.odd(2);
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            String symbol = random.oddText();
            var escaped = new StringBuilder();
            symbol.chars().forEach(c -> escaped.append(String.format("\\u%04x", c)));
            String json = "{\"venue\":\"okx\",\"symbol\":\"" + escaped + "\",\"newest_ms\":null,\"whole\":true}";
            boolean written = written(HistoryProgress.CODEC, new HistoryProgress("okx", symbol, null, true));
            assertEquals(written, read(HistoryProgress.CODEC, json), symbol);
            refused += written ? 0 : 1;
        }
        assertTrue(refused > 200 && refused < 1_800, "refused " + refused);
    }

    private static <T> boolean written(JsonCodec<T> codec, T record) {
        try {
            codec.encode(record);
            return true;
        } catch (UnwritableRecord e) {
            return false;
        }
    }

    private static boolean read(JsonCodec<?> codec, String json) {
        try {
            codec.decode(json.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (MalformedRecord e) {
            return false;
        }
    }

    /** 744 hours of the longest rates that a ledger takes: their sum, and the difference of two such sums. */
    @Test
    void sumOfLongRatesSurvives() throws MalformedRecord {
        BigDecimal rate = new BigDecimal("9." + "9".repeat(40));
        BigDecimal sum = rate.multiply(BigDecimal.valueOf(744));
        var shortLeg =
                new CarryLeg("okx", "A", 0, "USDT", sum, 744, 744, 0, null, null, null, null, DailySums.NONE, null);
        var longLeg = new CarryLeg(
                "gate", "A", 0, "USDT", sum.negate(), 744, 744, 0, null, null, null, null, DailySums.NONE, null);
        var pair = new CarryPair(longLeg, shortLeg, 30, true, null, sum.add(sum), 30L, "00ff");
        var table = new CarryTable("A", 0, 1, List.of(pair), List.of());
        assertEquals(table, CarryTable.CODEC.decode(CarryTable.CODEC.encode(table)));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    <T> void everyRecordMatchesItsSchema(JsonCodec<T> codec) throws IOException {
        JsonNode document = schemaDocument(codec);
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(document);
        for (int seed = 0; seed < 500; seed++) {
            byte[] bytes = codec.encode(sample(codec, seed));
            assertEquals(
                    List.of(), schema.validate(JSON.readTree(bytes)), () -> new String(bytes, StandardCharsets.UTF_8));
        }
        JsonNode broken = JSON.readTree(codec.encode(sample(codec, 1)));
        ((com.fasterxml.jackson.databind.node.ObjectNode) broken)
                .remove(codec.fieldNames().getFirst());
        assertFalse(schema.validate(broken).isEmpty(), "the schema requires what the codec requires");
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void schemaDescribesExactlyWrittenFields(JsonCodec<?> codec) throws IOException {
        var described = new ArrayList<String>();
        schemaDocument(codec).get("properties").properties().forEach(p -> {
            described.add(p.getKey());
            assertTrue(p.getValue().hasNonNull("description"), p.getKey() + " says what it is");
        });
        assertEquals(codec.fieldNames(), described);
    }

    private static JsonNode schemaDocument(JsonCodec<?> codec) throws IOException {
        return JSON.readTree(codec.schemaDocument());
    }

    @Test
    void decimalsArePlainAndExact() {
        Rate tiny = new SampleRecords(7).latest();
        String json = new String(Rate.CODEC.encode(withRate(tiny, new BigDecimal("1E-10"))), StandardCharsets.UTF_8);
        assertTrue(json.contains("\"funding_rate_8h\":0.0000000001,"), json);
        assertFalse(json.matches(".*[0-9][eE][-+0-9].*"), json);
    }

    private static Rate withRate(Rate r, BigDecimal rate) {
        return Rate.CODEC.with(
                r,
                "symbol",
                "S",
                "asset",
                "A",
                "asset_class",
                null,
                "dex",
                null,
                "funding_rate_8h",
                rate,
                "funding_rate",
                rate,
                "funding_rate_annualised",
                rate,
                "stale",
                false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "7",
                "{",
                "{\"venue\":\"x\"}",
                "{\"venue\":7}",
                "{\"venue\":[\"x\"]}",
                "{} {}",
                "{\"observed_at_ms\":1.5}",
                "{\"rate\":NaN}",
                "{\"rate\":1e400}",
                "{\"rate\":\"0.1\"}",
                "{\"contract_type\":\"option\"}"
            })
    void namesWhatIsWrongWithARecord(String text) {
        var why = assertThrows(MalformedRecord.class, () -> Quote.CODEC.decode(text.getBytes(StandardCharsets.UTF_8)));
        assertFalse(why.getMessage().isBlank());
        assertTrue(why.getMessage().length() < 300, why.getMessage());
    }

    @Test
    void rejectsHugeNumbersAndTextsUncomputed() {
        List<String> poison = List.of(
                "{\"rate\":" + "9".repeat(10_000) + "}",
                "{\"rate\":1e-70}",
                "{\"venue\":\"" + "x".repeat(5_000) + "\"}",
                "{\"more\":" + "[".repeat(50) + "]".repeat(50) + "}");
        for (String text : poison) {
            assertThrows(MalformedRecord.class, () -> Quote.CODEC.decode(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void ignoresUnknownFieldOfNewerWriter() throws MalformedRecord {
        Quote quote = new SampleRecords(3).quote();
        String json = new String(Quote.CODEC.encode(quote), StandardCharsets.UTF_8);
        String newer = "{\"added\":{\"a\":1},\"also\":[1,{\"b\":2}]," + json.substring(1);
        assertThrows(MalformedRecord.class, () -> Quote.CODEC.decode((newer + "x").getBytes(StandardCharsets.UTF_8)));
        assertEquals(quote, Quote.CODEC.decode(newer.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void rejectsEveryPrefixOfARecord() {
        byte[] whole = Quote.CODEC.encode(new SampleRecords(5).quote());
        var refused = new HashSet<Integer>();
        for (int length = 0; length < whole.length; length++) {
            byte[] part = java.util.Arrays.copyOf(whole, length);
            assertThrows(MalformedRecord.class, () -> Quote.CODEC.decode(part));
            refused.add(length);
        }
        assertEquals(whole.length, refused.size());
    }
}
