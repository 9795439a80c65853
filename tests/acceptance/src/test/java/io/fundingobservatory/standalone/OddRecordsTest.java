package io.fundingobservatory.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A foreign producer writes unusual records to the input topics of a running installation. Each record is
 * served exactly or becomes one dead letter with its reason, also after a restart. Streams never restarts
 * because of one, and the venues' rows and pairs continue.
 */
@Tag("nightly")
class OddRecordsTest {
    private static final Map<String, Object> SETTINGS = Map.of(
            "observatory.ingest.poll-interval", "2s",
            "observatory.ingest.venues", "binance,bybit",
            "observatory.gateway.generation-interval", "1s");
    private static final int SEEDED = Integer.getInteger("observatory.odd.records", 10_000);
    private static final long SEED = Long.getLong("observatory.odd.seed", 1);
    private static final Duration PATIENCE = Duration.ofMinutes(8);
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** A listed exchange that this installation does not poll: what is served of it is what is sent here. */
    private static final String VENUE = "okx";

    @TempDir
    private Path folder;

    private int http;
    private String brokers;
    private Installation.Ports ports;

    @BeforeEach
    void open() throws Exception {
        ports = Http.freePorts();
        http = ports.http().number();
        brokers = "127.0.0.1:" + ports.kafka().number();
    }

    private Installation start() throws InterruptedException {
        return Installations.start(new SourceOption.Simulated(), folder.resolve("data"), ports, SETTINGS);
    }

    @Test
    void oddRecordIsServedExactlyOrDeadLetter() throws Exception {
        OddOutcomes before;
        try (Installation installation = start()) {
            JsonNode carry = pairs();
            Set<String> members = streamsMembers();
            Map<String, OddRecords.Odd> sent = send(carry.at("/rows/0/asset").asText());
            before = OddOutcomes.of(sent, brokers, VENUE, PATIENCE);
            assertFates(sent, before);
            assertEquals(members, streamsMembers(), "streams has not begun again");
            assertFresh();
            assertServed(before);
            assertNotNull(installation.simulated());
        }
        try (Installation again = start()) {
            assertFresh();
            pairs();
            assertServed(before);
            before.assertSame(OddOutcomes.now(brokers, VENUE));
            assertNotNull(again.simulated());
        }
    }

    private JsonNode pairs() throws InterruptedException {
        return Http.await(
                http, "/api/v1/carry", PATIENCE, json -> json.get("rows").size() > 0);
    }

    /** A restarted client returns as another member of the group. */
    private Set<String> streamsMembers() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            return admin
                    .describeConsumerGroups(List.of(Topics.STREAMS_GROUP))
                    .describedGroups()
                    .get(Topics.STREAMS_GROUP)
                    .get()
                    .members()
                    .stream()
                    .map(MemberDescription::consumerId)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Everything that is odd, by where it then stands. */
    private Map<String, OddRecords.Odd> send(String asset) throws Exception {
        var records = new OddRecords(VENUE, System.currentTimeMillis());
        var odds = new ArrayList<OddRecords.Odd>();
        odds.add(records.listed(asset));
        odds.addAll(records.poison());
        odds.addAll(records.seeded(SEEDED, SEED));
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                brokers,
                "max.request.size",
                4_000_000,
                "compression.type",
                "zstd",
                "linger.ms",
                20);
        var sent = new LinkedHashMap<String, OddRecords.Odd>();
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            var futures = new ArrayList<Future<RecordMetadata>>();
            odds.forEach(odd -> futures.add(producer.send(odd.record())));
            for (int i = 0; i < odds.size(); i++) {
                sent.put(OddOutcomes.origin(futures.get(i).get()), odds.get(i));
            }
        }
        return sent;
    }

    private static void assertFates(Map<String, OddRecords.Odd> sent, OddOutcomes outcomes) throws Exception {
        var counts = new TreeMap<String, Integer>();
        var otherwise = new ArrayList<String>();
        for (var entry : sent.entrySet()) {
            OddRecords.Odd odd = entry.getValue();
            String reason = outcomes.reason(entry.getKey());
            String fate = reason == null ? OddRecords.SHOWN : reason;
            counts.merge(fate, 1, Integer::sum);
            if (odd.fate() != null && !odd.fate().equals(fate)) {
                otherwise.add(fate + " instead of " + odd.fate() + ": "
                        + readable(odd.record().value()));
            }
            if (fate.equals(OddRecords.SHOWN)) {
                assertExact(JSON.readTree(odd.record().value()), JSON.readTree(outcomes.published(odd.record())));
            }
        }
        assertEquals(List.of(), otherwise);
        assertFalse(counts.containsKey("processing_failed"), "all of it was foreseen: " + counts);
        assertTrue(counts.get(OddRecords.SHOWN) > SEEDED / 20, "some are odd and right: " + counts);
        assertTrue(counts.size() > 10, "they are odd in many ways: " + counts);
    }

    private static String readable(byte[] value) {
        return value == null ? "null" : new String(value, 0, Math.min(400, value.length), UTF_8);
    }

    /**
     * Every value of a row or settlement equals that of the record, and its rate follows from the record's
     * unit and hours.
     */
    private static void assertExact(JsonNode sent, JsonNode shown) {
        boolean row = shown.has("mark_price");
        Map<String, String> fields = row
                ? Map.of(
                        "mark_price", "mark_price",
                        "index_price", "index_price",
                        "interval_h", "funding_interval_h",
                        "next_funding_ms", "next_funding_ms",
                        "venue_time_ms", "venue_time_ms",
                        "observed_at_ms", "observed_at_ms",
                        "quote", "quote",
                        "rate_kind", "rate_kind",
                        "contract_type", "contract_type")
                : Map.of(
                        "interval_h", "funding_interval_h",
                        "settled_ms", "settled_raw_ms",
                        "observed_at_ms", "observed_at_ms");
        fields.forEach((from, to) -> assertSame(sent.get(from), shown.get(to), sent + " " + shown));
        String unit = sent.get("rate_unit").asText();
        if (!unit.equals("fraction") && !unit.equals("percent")) {
            return; // divided by or multiplied with a price: the core's own tests hold that against whole numbers
        }
        // Null hours: the value of a row covers an interval of unknown length, that of a payment just what it closed.
        BigDecimal covers = decimal(sent.get("rate_hours"));
        BigDecimal wanted = row ? BigDecimal.valueOf(8) : decimal(sent.get("interval_h"));
        JsonNode rate = shown.get(row ? "funding_rate_8h" : "funding_rate");
        if (covers == null && row) {
            assertTrue(rate.isNull(), sent + " " + shown);
            return;
        }
        BigDecimal fraction = decimal(sent.get("rate")).movePointLeft(unit.equals("percent") ? 2 : 0);
        BigDecimal expected = covers == null ? fraction : quotient(fraction.multiply(wanted), covers);
        assertEquals(0, expected.compareTo(decimal(rate)), sent + " " + shown);
    }

    private static BigDecimal decimal(JsonNode number) {
        return number.isNull() ? null : number.decimalValue();
    }

    /** Exact where it ends, else 18 decimals, half-even. */
    private static BigDecimal quotient(BigDecimal dividend, BigDecimal divisor) {
        try {
            return dividend.divide(divisor);
        } catch (ArithmeticException e) {
            return dividend.divide(divisor, 18, RoundingMode.HALF_EVEN);
        }
    }

    private static void assertSame(JsonNode sent, JsonNode shown, String what) {
        if (sent.isNumber() && shown.isNumber()) {
            assertEquals(0, sent.decimalValue().compareTo(shown.decimalValue()), what);
        } else {
            assertEquals(sent, shown, what);
        }
    }

    /** The exchanges that are polled: another poll of each comes through. */
    private void assertFresh() throws InterruptedException {
        long now = System.currentTimeMillis();
        Http.await(http, "/api/v1/latest?venues=binance,bybit", PATIENCE, json -> {
            long rows = json.get("rows").size();
            long fresh = json.get("rows").findValuesAsText("observed_at_ms").stream()
                    .filter(at -> Long.parseLong(at) >= now)
                    .count();
            return rows > 100 && fresh > rows * 9 / 10;
        });
    }

    /** The symbols of rows that are not too old for a snapshot of an instant. */
    private static Set<String> shownAt(Collection<JsonNode> rows, long generatedAtMs) {
        return rows.stream()
                .filter(row -> row.get("observed_at_ms").asLong() > generatedAtMs - 600_000)
                .map(row -> row.get("symbol").asText())
                .collect(Collectors.toSet());
    }

    /** The topic and the response have the same fields, as long as a row is not too old to be shown. */
    private void assertServed(OddOutcomes outcomes) throws Exception {
        var rows = new TreeMap<String, JsonNode>();
        for (var published : outcomes.published().entrySet()) {
            JsonNode row = JSON.readTree(published.getValue());
            if (row.has("mark_price")) {
                rows.put(row.get("symbol").asText(), row);
            }
        }
        JsonNode list = Http.await(
                http,
                "/api/v1/latest?venues=" + VENUE,
                PATIENCE,
                json -> new TreeSet<>(json.get("rows").findValuesAsText("symbol"))
                        .containsAll(shownAt(
                                rows.values(), json.at("/meta/generated_at_ms").asLong())));
        assertTrue(list.get("rows").size() > rows.size() / 2, list.get("rows").size() + " of " + rows.size());
        for (JsonNode served : list.get("rows")) {
            JsonNode row = rows.get(served.get("symbol").asText());
            assertNotNull(row, served::toString);
            row.fieldNames().forEachRemaining(field -> assertEquals(row.get(field), served.get(field), field));
        }
    }
}
