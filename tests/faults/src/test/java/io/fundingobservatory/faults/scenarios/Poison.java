package io.fundingobservatory.faults.scenarios;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.oracle.RatesReader;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Records on the quotes topic that are not valid quotes. Each must be in {@code dead-letters} once, with its
 * first MB byte for byte, its reason and its origin.
 */
public final class Poison {
    private static final String QUOTE = """
            {"venue":"okx","symbol":"P","base":"BTC","quote":"USDT","contract_type":"linear","rate":%s,"rate_unit":"fraction",\
            "rate_hours":8,"rate_kind":"estimate","interval_h":8,"interval_source":"row","next_funding_ms":null,\
            "mark_price":%s,"index_price":null,"venue_time_ms":null,"observed_at_ms":%d}""";

    private static final byte[] KEY = "okx|P".getBytes(UTF_8);

    /** A dead letter holds no more of a value. */
    private static final int LETTER_BYTES = 1 << 20;

    private record Bad(
            byte @Nullable [] key,
            byte @Nullable [] value,
            @Nullable String schema,
            String reason) {}

    private Poison() {}

    public static void play(Installation on, Random random, Played played) throws Exception {
        var large = new ConfigResource(ConfigResource.Type.TOPIC, Topics.QUOTES_RAW.name());
        on.kafka()
                .admin()
                .incrementalAlterConfigs(Map.of(
                        large,
                        java.util.List.of(new AlterConfigOp(
                                new ConfigEntry("max.message.bytes", "12000000"), AlterConfigOp.OpType.SET))))
                .all()
                .get();
        Map<String, Bad> sent = bad(random);
        var positions = new HashMap<String, Map.Entry<String, Bad>>();
        long pid = on.streams().pid();
        int deaths = on.streams().countLogged("stream thread died");
        try (var producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        on.kafka().direct(),
                        "max.request.size",
                        12_000_000,
                        "compression.type",
                        "zstd"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (var bad : sent.entrySet()) {
                var record = new ProducerRecord<>(
                        Topics.QUOTES_RAW.name(),
                        bad.getValue().key(),
                        bad.getValue().value());
                if (bad.getValue().schema() != null) {
                    record.headers().add("schema", bad.getValue().schema().getBytes(UTF_8));
                }
                var at = producer.send(record).get();
                positions.put(at.partition() + "/" + at.offset(), bad);
            }
        }
        long since = System.nanoTime();
        played.fired(sent.size() + " records of poison");
        played.awaitFlow(on, since);
        var letters = new HashMap<String, ConsumerRecord<byte[], byte[]>>();
        Await.within(Duration.ofSeconds(20), () -> {
            letters.putAll(letters(on, positions));
            return letters.size() >= sent.size();
        });
        check(positions, letters, played);
        played.require(on.streams().pid() == pid && on.streams().isAlive(), "streams was started again");
        played.require(on.streams().countLogged("stream thread died") == deaths, "a stream thread died");
    }

    /** Dead letters of the records that were sent, by place; a place that comes twice is numbered. */
    private static Map<String, ConsumerRecord<byte[], byte[]>> letters(Installation on, Map<String, ?> positions) {
        var letters = new HashMap<String, ConsumerRecord<byte[], byte[]>>();
        for (var letter : RatesReader.committed(on.kafka().direct(), Topics.DEAD_LETTERS.name())) {
            String position = header(letter, "source-partition") + "/" + header(letter, "source-offset");
            if (Topics.QUOTES_RAW.name().equals(header(letter, "source-topic")) && positions.containsKey(position)) {
                letters.merge(position, letter, (first, second) -> {
                    letters.put(position + " twice", second);
                    return first;
                });
            }
        }
        return letters;
    }

    private static void check(
            Map<String, Map.Entry<String, Bad>> positions,
            Map<String, ConsumerRecord<byte[], byte[]>> letters,
            Played played) {
        letters.keySet().stream()
                .filter(position -> !positions.containsKey(position))
                .forEach(position -> played.wrong("dead letter of " + position));
        positions.forEach((position, bad) -> {
            ConsumerRecord<byte[], byte[]> letter = letters.get(position);
            Bad expected = bad.getValue();
            if (letter == null) {
                played.wrong("no dead letter of " + bad.getKey());
            } else {
                played.require(
                        Arrays.equals(letter.key(), expected.key())
                                && Arrays.equals(letter.value(), firstMegabyte(expected.value())),
                        "the dead letter of " + bad.getKey() + " has other bytes");
                played.require(
                        expected.reason().equals(header(letter, "reason")),
                        bad.getKey() + " has the reason " + header(letter, "reason") + ", not " + expected.reason());
            }
        });
    }

    private static byte @Nullable [] firstMegabyte(byte @Nullable [] value) {
        return value == null || value.length <= LETTER_BYTES ? value : Arrays.copyOf(value, LETTER_BYTES);
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        var header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }

    private static Map<String, Bad> bad(Random random) {
        long now = System.currentTimeMillis();
        var noise = new byte[1 + random.nextInt(200)];
        random.nextBytes(noise);
        byte[] good = quote("0.0001", "1", now);
        var bad = new LinkedHashMap<String, Bad>();
        bad.put("random bytes", value(noise, "unreadable"));
        bad.put("2 MB", value(new byte[2_000_000], "unreadable"));
        bad.put("9 MB packed into some kB", value(new byte[9_000_000], "unreadable"));
        bad.put("no key", new Bad(null, good, null, "no_key"));
        bad.put("no value", value(null, "no_value"));
        bad.put("another key", new Bad("okx|Q".getBytes(UTF_8), good, null, "key_mismatch"));
        bad.put("bad UTF-8", value(new byte[] {'{', '"', (byte) 0xc3, (byte) 0x28, '"', '}'}, "unreadable"));
        bad.put("NaN", value(quote("NaN", "1", now), "unreadable"));
        bad.put("1e400", value(quote("1e400", "1", now), "unreadable"));
        bad.put("10,000 digits", value(quote("9".repeat(10_000), "1", now), "unreadable"));
        bad.put("unknown version", new Bad(KEY, good, "quote/99", "unknown_schema"));
        bad.put("price 0", value(quote("0.0001", "0", now), "price_not_positive"));
        bad.put("1100 %", value(quote("11", "1", now), "rate_out_of_range"));
        return bad;
    }

    private static Bad value(byte @Nullable [] value, String reason) {
        return new Bad(KEY, value, null, reason);
    }

    private static byte[] quote(String rate, String price, long observedAtMs) {
        return QUOTE.formatted(rate, price, observedAtMs).getBytes(UTF_8);
    }
}
