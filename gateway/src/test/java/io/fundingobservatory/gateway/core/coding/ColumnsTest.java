package io.fundingobservatory.gateway.core.coding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.gateway.core.request.Query;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Selecting, ordering and writing rows in another form changes no value. */
class ColumnsTest {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static final String OKX = "{\"venue\":\"okx\",\"symbol\":\"A-1\",\"asset\":\"A\",\"quote\":\"USDT\","
            + "\"contract_type\":\"linear\",\"asset_class\":\"crypto\",\"dex\":null,\"funding_rate_8h\":-0.0000100000000000001,\"funding_interval_h\":4,"
            + "\"funding_interval_source\":\"row\",\"funding_rate\":-0.00000500000000000005,\"rate_kind\":\"estimate\","
            + "\"funding_rate_annualised\":-0.01095,\"next_funding_ms\":1795190400000,\"mark_price\":92517,"
            + "\"index_price\":null,\"price_scale\":1000,\"venue_time_ms\":null,\"observed_at_ms\":1795181707164}";
    private static final String BYBIT = OKX.replace("okx", "bybit")
            .replace("-0.0000100000000000001", "0.00001")
            .replace("1795181707164}", "1795181707164,\"stale\":true}");
    private static final String GATE = OKX.replace("okx", "gate").replace("-0.0000100000000000001", "null");
    private static final List<EncodedRow> ROWS = List.of(rate(BYBIT), rate(GATE), rate(OKX));
    private static final RowForm.Fields FIELDS = EncodedRow.COLUMNS.fields();

    private static EncodedRow rate(String text) {
        try {
            byte[] json = text.getBytes(StandardCharsets.UTF_8);
            return EncodedRow.stored(Rate.CODEC.decode(json), json);
        } catch (MalformedRecord e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Query read(String query) {
        return Query.read(query, new Query.Takes(RowForm.PARAMETERS, FIELDS, null, 10_000));
    }

    private static RowForm form(String query) {
        assertNull(reason(query));
        return read(query).form();
    }

    private static String reason(String query) {
        return read(query).problem();
    }

    private static List<EncodedRow> first(String query) {
        return EncodedRow.COLUMNS.first(ROWS.stream(), form(query));
    }

    private static JsonNode written(String query) throws IOException {
        return MAPPER.readTree(text(query));
    }

    private static String text(String query) {
        List<EncodedRow> rows = first(query);
        return new String(
                Json.bytes((JsonGenerator json) -> {
                    json.writeStartObject();
                    EncodedRow.COLUMNS.write(json, "columns", "rows", rows, form(query));
                    json.writeEndObject();
                }),
                StandardCharsets.UTF_8);
    }

    private static List<String> venues(JsonNode response) {
        var venues = new ArrayList<String>();
        response.path("rows").forEach(row -> venues.add(row.path("venue").asText()));
        return venues;
    }

    @Test
    void knowsEveryFieldOfARow() throws IOException {
        String schema = new String(Rate.CODEC.schemaDocument(), StandardCharsets.UTF_8);
        var described = new ArrayList<String>();
        MAPPER.readTree(schema).path("properties").fieldNames().forEachRemaining(described::add);
        described.addAll(List.of("next_funding_utc", "venue_time_utc", "observed_at_utc"));
        assertEquals(described, FIELDS.names());
        assertTrue(FIELDS.names().containsAll(FIELDS.numeric()));
    }

    @Test
    void plainFormReturnsTheSameBytes() {
        List<String> records = ROWS.stream()
                .map(row -> new String(Rate.CODEC.encode(row.rate()), StandardCharsets.UTF_8))
                .toList();
        assertEquals("{\"rows\":[" + String.join(",", records) + "]}", text(""));
        assertTrue(form("").plain());
        assertTrue(form("layout=rows&numbers=json").plain());
    }

    @Test
    void selectedFieldsAlwaysHaveTheKeys() throws IOException {
        JsonNode row = written("fields=mark_price,funding_rate_8h").path("rows").get(2);
        var names = new ArrayList<String>();
        row.fieldNames().forEachRemaining(names::add);
        assertEquals(List.of("venue", "symbol", "funding_rate_8h", "mark_price"), names);
    }

    /** Agents relay times as texts; the row itself stays that of the topic. */
    @Test
    void timesAreTextsWhereTheyAreNamed() throws IOException {
        JsonNode row = written("fields=observed_at_ms,observed_at_utc,next_funding_utc")
                .path("rows")
                .get(2);
        assertEquals(
                Instant.ofEpochMilli(row.path("observed_at_ms").asLong()),
                Instant.parse(row.path("observed_at_utc").asText()));
        assertTrue(row.has("next_funding_utc"));
        assertFalse(written("layout=columns").path("columns").toString().contains("utc"));
        assertEquals(
                Set.of("observed_at_ms", "next_funding_ms"),
                form("fields=observed_at_utc,next_funding_utc").concerned());
    }

    @Test
    void ordersByNumberWithNullsLast() throws IOException {
        assertEquals(List.of("okx", "bybit", "gate"), venues(written("order=funding_rate_8h")));
        assertEquals(List.of("bybit", "okx", "gate"), venues(written("order=-funding_rate_8h")));
        assertEquals(List.of("bybit", "gate", "okx"), venues(written("order=-mark_price")), "ties keep their order");
    }

    @Test
    void limitKeepsTheFirst() throws IOException {
        assertEquals(List.of(ROWS.getFirst()), first("order=-funding_rate_8h&limit=1"));
        assertEquals(List.of("okx", "bybit"), venues(written("order=funding_rate_8h&limit=2")));
        assertEquals(List.of("bybit", "gate"), venues(written("limit=2")));
    }

    @Test
    void textKeepsEveryDigit() throws IOException {
        JsonNode row = written("numbers=text").path("rows").get(2);
        assertEquals("-0.0000100000000000001", row.path("funding_rate_8h").textValue());
        assertEquals("1000", row.path("price_scale").textValue());
        assertTrue(row.path("index_price").isNull());
        assertTrue(row.path("observed_at_ms").isNumber());
    }

    @Test
    void unreadableFormsNameWhatExists() {
        assertTrue(reason("fields=rate").contains("funding_rate_8h"), reason("fields=rate"));
        assertTrue(reason("order=asset").contains("mark_price"), reason("order=asset"));
        assertTrue(reason("order=mark_price,index_price").contains("one numeric field"));
        assertEquals("limit is a whole number from 1 to 10000", reason("limit=0"));
        assertEquals("limit is a whole number from 1 to 10000", reason("limit=10001"));
        assertEquals("layout is rows or columns", reason("layout=csv"));
        assertEquals("numbers is json or text", reason("numbers=double"));
        assertEquals("missing is venues or reasons", reason("missing=none"));
    }
}
