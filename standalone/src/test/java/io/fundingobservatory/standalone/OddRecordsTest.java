package io.fundingobservatory.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody else writes onto the input topics of a running installation what no exchange would: each record is served exactly as it was
 * sent or is a dead letter with its reason, once, also after a restart, and the exchanges' rows and pairs go on beside them.
 */
class OddRecordsTest {
    private static final String POLL_INTERVAL = "observatory.ingest.poll-interval";
    private static final String VENUES = "observatory.ingest.venues";
    private static final int SEEDED = Integer.getInteger("observatory.odd.records", 10_000);
    private static final long SEED = Long.getLong("observatory.odd.seed", 1);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** A listed exchange that this installation does not poll: what is served of it is what is sent here. */
    private static final String VENUE = "okx";

    @TempDir
    private Path folder;

    private int http;
    private int kafka;
    private Installation.Ports ports;
    private KafkaProducer<byte[], byte[]> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();

    /** The value of each record that is sent and may be served, by its key. */
    private final Map<String, String> values = new HashMap<>();

    @BeforeEach
    void open() throws Exception {
        System.setProperty(POLL_INTERVAL, "5s");
        System.setProperty(VENUES, "binance,bybit");
        http = Http.freePort();
        kafka = Http.freePort();
        ports = new Installation.Ports(
                new Port(http, "--http-port"),
                new Port(Http.freePort(), "--management-port"),
                new Port(kafka, "--kafka-port"));
    }

    @AfterEach
    void usualSettings() {
        System.clearProperty(POLL_INTERVAL);
        System.clearProperty(VENUES);
    }

    @Test
    void eachIsServedExactlyOrIsADeadLetterAndNothingElseChanges() throws Exception {
        Map<String, String> shown;
        Map<String, String> refused;
        try (Installation installation = start()) {
            Http.await(http, "/api/v1/carry", PATIENCE, json -> json.get("rows").size() > 0);
            Map<String, String> reasons;
            try (var records = new KafkaProducer<>(
                    Map.<String, Object>of(
                            "bootstrap.servers",
                            "127.0.0.1:" + kafka,
                            "max.request.size",
                            4_000_000,
                            "compression.type",
                            "zstd"),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                producer = records;
                reasons = poison(System.currentTimeMillis());
                seeded(System.currentTimeMillis());
            }
            refused = awaitAccounted();
            reasons.forEach((origin, reason) -> assertEquals(reason, refusal(origin), origin));
            shown = shown();
            shown.forEach((key, row) -> assertExact(values.get(key), row));
            assertTrue(shown.size() > SEEDED / 20, "some are odd and right: " + shown.size());
            assertTrue(refused.size() > SEEDED / 4, "many are wrong: " + refused.size());
            assertFresh();
            assertServed(shown);
            assertTrue(installation.simulated() != null);
        }
        try (Installation again = start()) {
            assertFresh();
            Http.await(http, "/api/v1/carry", PATIENCE, json -> json.get("rows").size() > 0);
            assertServed(shown);
            assertEquals(refused, letters(), "no dead letter twice");
            assertEquals(shown, shown(), "no row twice");
            assertTrue(again.simulated() != null);
        }
    }

    private final Map<String, String> refusals = new HashMap<>();

    private String refusal(String origin) {
        return refusals.get(origin);
    }

    private Installation start() throws InterruptedException {
        var exchanges = new Exchanges.Simulated();
        return Installation.start(exchanges, DataDirectory.take(folder.resolve("data"), exchanges), ports, 1);
    }

    /** A quote that nothing speaks against, as the tokens of its JSON. */
    private static Map<String, String> quote(String symbol, long nowMs) {
        var tokens = new LinkedHashMap<String, String>();
        tokens.put("venue", text(VENUE));
        tokens.put("symbol", text(symbol));
        tokens.put("base", text("ODD"));
        tokens.put("quote", text("USDT"));
        tokens.put("contract_type", text("linear"));
        tokens.put("rate", "0.0001");
        tokens.put("rate_unit", text("fraction"));
        tokens.put("rate_hours", "8");
        tokens.put("rate_kind", text("estimate"));
        tokens.put("interval_h", "8");
        tokens.put("interval_source", text("row"));
        tokens.put("next_funding_ms", Long.toString(nowMs + 3_600_000));
        tokens.put("mark_price", "100.5");
        tokens.put("index_price", "100.4");
        tokens.put("venue_time_ms", Long.toString(nowMs));
        tokens.put("observed_at_ms", Long.toString(nowMs));
        return tokens;
    }

    private static String text(String value) {
        return JSON.valueToTree(value).toString();
    }

    private static byte[] object(Map<String, String> tokens) {
        return tokens.entrySet().stream()
                .map(token -> text(token.getKey()) + ':' + token.getValue())
                .collect(Collectors.joining(",", "{", "}"))
                .getBytes(UTF_8);
    }

    /** What once stopped the service, or could; the reason that each is refused for, by where it stands. */
    private Map<String, String> poison(long nowMs) throws Exception {
        var reasons = new TreeMap<String, String>();
        String key = VENUE + "|POISON";
        Map<String, String> good = quote("POISON", nowMs);
        byte[] value = object(good);
        byte[] badUtf8 = value.clone();
        badUtf8[badUtf8.length / 2] = (byte) 0xff;
        reasons.put(origin(Topics.QUOTES_RAW.name(), null, value), "no_key");
        reasons.put(origin(Topics.QUOTES_RAW.name(), key, badUtf8), "unreadable");
        reasons.put(origin(Topics.QUOTES_RAW.name(), key, new byte[2_000_000]), "unreadable");
        reasons.put(refused(good, "mark_price", "1e64", nowMs), "too_many_digits");
        reasons.put(refused(good, "interval_h", "0.00001", nowMs), "interval_out_of_range");
        reasons.put(refused(good, "rate", "NaN", nowMs), "unreadable");
        reasons.put(refused(good, "rate", "1e400", nowMs), "unreadable");
        reasons.put(refused(good, "rate", "9".repeat(10_000), nowMs), "unreadable");
        reasons.put(
                refused(good, "observed_at_ms", Long.toString(nowMs + 2 * 86_400_000L), nowMs),
                "observed_in_the_future");
        String settled = "{\"venue\":\"okx\",\"symbol\":\"POISON\",\"settled_ms\":" + (nowMs - 3_600_000)
                + ",\"rate\":%s,\"rate_unit\":\"fraction\",\"rate_hours\":null,\"interval_h\":%s,\"reference_price\":null,"
                + "\"observed_at_ms\":" + nowMs + "}";
        reasons.put(
                origin(
                        Topics.SETTLEMENTS_RAW.name(),
                        key,
                        settled.formatted("0." + "9".repeat(64), "8").getBytes(UTF_8)),
                "too_many_digits");
        reasons.put(
                origin(
                        Topics.SETTLEMENTS_RAW.name(),
                        key,
                        settled.formatted("0.0001", "0.00001").getBytes(UTF_8)),
                "interval_out_of_range");
        var newer = new RecordHeaders().add("schema", "quote/99".getBytes(UTF_8));
        reasons.put(
                origin(new ProducerRecord<>(Topics.QUOTES_RAW.name(), null, key.getBytes(UTF_8), value, newer)),
                "unknown_schema");
        // Nothing is wrong with this one but 900 kB of headers that somebody put on it.
        values.put(VENUE + "|HEADERS", new String(object(quote("HEADERS", nowMs)), UTF_8));
        var foreign = new RecordHeaders().add("trace", new byte[900_000]);
        origin(new ProducerRecord<>(
                Topics.QUOTES_RAW.name(),
                null,
                (VENUE + "|HEADERS").getBytes(UTF_8),
                object(quote("HEADERS", nowMs)),
                foreign));
        return reasons;
    }

    private String refused(Map<String, String> good, String field, String token, long nowMs) throws Exception {
        var tokens = new LinkedHashMap<>(good);
        tokens.put(field, token);
        return origin(Topics.QUOTES_RAW.name(), VENUE + "|POISON", object(tokens));
    }

    private String origin(String topic, String key, byte[] value) throws Exception {
        return origin(new ProducerRecord<>(topic, key == null ? null : key.getBytes(UTF_8), value));
    }

    private String origin(ProducerRecord<byte[], byte[]> record) throws Exception {
        Future<RecordMetadata> future = producer.send(record);
        sent.add(future);
        RecordMetadata at = future.get();
        return at.topic() + "-" + at.partition() + "@" + at.offset();
    }

    /** Quotes of which one to three fields hold what none should: at a bound, beyond it, or nothing that a market knows. */
    private void seeded(long nowMs) {
        var random = new Random(SEED);
        for (int i = 0; i < SEEDED; i++) {
            String symbol = "ODD-" + i + (random.nextInt(10) == 0 ? "币|\"\\'<>&" : "");
            Map<String, String> tokens = quote(symbol, nowMs);
            List<String> fields = List.copyOf(tokens.keySet());
            for (int odd = 1 + random.nextInt(3); odd > 0; odd--) {
                String field = fields.get(2 + random.nextInt(fields.size() - 2));
                tokens.put(field, oddToken(field, random, nowMs));
            }
            String key = VENUE + "|" + symbol;
            byte[] value = object(tokens);
            values.put(key, new String(value, UTF_8));
            sent.add(producer.send(new ProducerRecord<>(Topics.QUOTES_RAW.name(), key.getBytes(UTF_8), value)));
        }
    }

    private static String oddToken(String field, Random random, long nowMs) {
        return switch (random.nextInt(10)) {
            case 0 -> "null";
            case 1 -> text("x".repeat(120 + random.nextInt(16)));
            case 2 ->
                text(List.of("a\nb", "a\0b", "\u2003", "", "xyz:", "1000PEPE").get(random.nextInt(6)));
            case 3 -> "true";
            case 4 -> Long.toString(random.nextLong());
            case 5 -> Long.toString(nowMs + random.nextInt(1_200_000) - 600_000);
            case 6 -> "0";
            case 7 -> "-" + (1 + random.nextInt(9)) + "e" + (random.nextInt(20) - 18);
            default -> {
                String digits = (1 + random.nextInt(9)) + "9".repeat(random.nextInt(field.equals("rate") ? 30 : 80));
                yield digits + "e" + (random.nextInt(60) - 50);
            }
        };
    }

    /** Waits until as many rows and dead letters are there as records were sent, and looks that there are no more; the letters. */
    private Map<String, String> awaitAccounted() throws Exception {
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
        long until = System.nanoTime() + PATIENCE.toNanos();
        Map<String, String> letters = Map.of();
        while (System.nanoTime() < until) {
            letters = letters();
            if (letters.size() + shown().size() >= sent.size()) {
                break;
            }
        }
        assertEquals(sent.size(), letters.size() + shown().size(), "each record is accounted for");
        return letters;
    }

    /** Reasons by where the refused record stands; each of them once. */
    private Map<String, String> letters() {
        var reasons = new TreeMap<String, String>();
        for (var letter : read(Topics.DEAD_LETTERS.name())) {
            String origin = header(letter, "source-topic") + "-" + header(letter, "source-partition") + "@"
                    + header(letter, "source-offset");
            assertNull(reasons.put(origin, header(letter, "reason")), "twice: " + origin);
        }
        refusals.putAll(reasons);
        return reasons;
    }

    /** Rows of this exchange by key; each of them once. */
    private Map<String, String> shown() {
        var rows = new TreeMap<String, String>();
        for (var record : read(Topics.RATES_NORMALISED.name())) {
            String key = new String(record.key(), UTF_8);
            if (key.startsWith(VENUE + "|")) {
                assertNull(rows.put(key, new String(record.value(), UTF_8)), "twice: " + key);
                assertEquals(1, record.headers().toArray().length, "no header but the schema");
            }
        }
        return rows;
    }

    private static void assertExact(String value, String row) {
        try {
            JsonNode said = JSON.readTree(value);
            JsonNode shown = JSON.readTree(row);
            for (String field : List.of("mark_price", "index_price")) {
                assertSame(said.get(field), shown.get(field), row);
            }
            assertSame(said.get("interval_h"), shown.get("funding_interval_h"), row);
            for (String field : List.of("symbol", "quote", "next_funding_ms", "venue_time_ms", "observed_at_ms")) {
                assertEquals(said.get(field).asText(), shown.get(field).asText(), row);
            }
            BigDecimal rate = said.get("rate").decimalValue();
            if (said.get("rate_unit").asText().equals("fraction")
                    && said.get("rate_hours").decimalValue().compareTo(new BigDecimal(8)) == 0) {
                assertEquals(0, rate.compareTo(shown.get("funding_rate_8h").decimalValue()), row);
            }
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertSame(JsonNode said, JsonNode shown, String row) {
        assertEquals(said.isNull(), shown.isNull(), row);
        assertTrue(said.isNull() || said.decimalValue().compareTo(shown.decimalValue()) == 0, row);
    }

    /** The exchanges that are polled: another poll of each comes through. */
    private void assertFresh() throws Exception {
        long now = System.currentTimeMillis();
        Http.await(
                http,
                "/api/v1/latest?venues=binance,bybit",
                PATIENCE,
                json -> json.get("rows").size() > 100
                        && json.findValuesAsText("observed_at_ms").stream().allMatch(at -> Long.parseLong(at) >= now));
    }

    /** What stands on the topic is what is served, row by row. */
    private void assertServed(Map<String, String> shown) throws Exception {
        JsonNode list = Http.await(
                http,
                "/api/v1/latest?venues=" + VENUE,
                PATIENCE,
                json -> json.get("rows").size() == shown.size());
        for (JsonNode row : list.get("rows")) {
            String key = VENUE + "|" + row.get("symbol").asText();
            JsonNode expected = JSON.readTree(shown.get(key));
            expected.fieldNames().forEachRemaining(field -> assertEquals(expected.get(field), row.get(field), key));
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), UTF_8);
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + kafka,
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest");
        var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        try (var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }
}
