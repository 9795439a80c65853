package io.fundingobservatory.topics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    @ParameterizedTest
    @MethodSource("codecs")
    <T> void everyRecordIsWhatItsSchemaSays(JsonCodec<T> codec) throws IOException {
        JsonNode document = schemaDocument(codec);
        JsonSchema schema =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(document);
        for (int seed = 0; seed < 500; seed++) {
            byte[] bytes = codec.encode(sample(codec, seed));
            assertEquals(
                    Set.of(), schema.validate(JSON.readTree(bytes)), () -> new String(bytes, StandardCharsets.UTF_8));
        }
        JsonNode broken = JSON.readTree(codec.encode(sample(codec, 1)));
        ((com.fasterxml.jackson.databind.node.ObjectNode) broken)
                .remove(codec.fieldNames().getFirst());
        assertFalse(schema.validate(broken).isEmpty(), "the schema requires what the codec requires");
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void theSchemaDescribesExactlyTheFieldsThatAreWritten(JsonCodec<?> codec) throws IOException {
        var described = new ArrayList<String>();
        schemaDocument(codec).get("properties").properties().forEach(p -> {
            described.add(p.getKey());
            assertTrue(p.getValue().hasNonNull("description"), p.getKey() + " says what it is");
        });
        assertEquals(codec.fieldNames(), described);
    }

    private static JsonNode schemaDocument(JsonCodec<?> codec) throws IOException {
        try (var in = JsonCodecTest.class.getResourceAsStream(codec.schemaResource())) {
            assertTrue(in != null, codec.schemaResource());
            return JSON.readTree(in);
        }
    }

    @Test
    void decimalsArePlainAndExact() {
        Rate tiny = new SampleRecords(7).latest();
        String json = new String(Rate.CODEC.encode(withRate(tiny, new BigDecimal("1E-10"))), StandardCharsets.UTF_8);
        assertTrue(json.contains("\"funding_rate_8h\":0.0000000001,"), json);
        assertFalse(json.matches(".*[0-9][eE][-+0-9].*"), json);
    }

    private static Rate withRate(Rate r, BigDecimal rate) {
        return new Rate(
                r.venue(),
                "S",
                "A",
                r.quote(),
                r.contractType(),
                rate,
                r.fundingIntervalH(),
                r.fundingIntervalSource(),
                rate,
                r.rateKind(),
                rate,
                r.nextFundingMs(),
                r.markPrice(),
                r.indexPrice(),
                r.priceScale(),
                r.venueTimeMs(),
                r.observedAtMs(),
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
    void whatIsNotARecordSaysWhy(String text) {
        var why = assertThrows(MalformedRecord.class, () -> Quote.CODEC.decode(text.getBytes(StandardCharsets.UTF_8)));
        assertFalse(why.getMessage().isBlank());
        assertTrue(why.getMessage().length() < 300, why.getMessage());
    }

    @Test
    void hugeNumbersAndTextsAreRefusedNotComputed() {
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
    void anUnknownFieldOfANewerWriterIsIgnored() throws MalformedRecord {
        Quote quote = new SampleRecords(3).quote();
        String json = new String(Quote.CODEC.encode(quote), StandardCharsets.UTF_8);
        String newer = "{\"added\":{\"a\":1},\"also\":[1,{\"b\":2}]," + json.substring(1);
        assertThrows(MalformedRecord.class, () -> Quote.CODEC.decode((newer + "x").getBytes(StandardCharsets.UTF_8)));
        assertEquals(quote, Quote.CODEC.decode(newer.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void everyPrefixOfARecordIsRefused() {
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
