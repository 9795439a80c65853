package io.fundingobservatory.faults.scenarios.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
public final class Poison implements Fault {
    private static final String QUOTE = """
            {"venue":"okx","symbol":"P","base":"BTC","quote":"USDT","contract_type":"linear","rate":%s,"rate_unit":"fraction",\
            "rate_hours":8,"rate_kind":"estimate","interval_h":8,"interval_source":"row","next_funding_ms":null,\
            "mark_price":%s,"index_price":null,"venue_time_ms":null,"observed_at_ms":%d}""";

    /** A dead letter holds no more of a value. */
    private static final int LETTER_BYTES = 1 << 20;

    private record Bad(
            byte @Nullable [] key,
            byte @Nullable [] value,
            @Nullable String schema,
            String reason) {}

    @Override
    public String id() {
        return "F16";
    }

    @Override
    public String what() {
        return "poison records among quotes";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
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
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        var letters = letters(on, positions);
        while (letters.size() < sent.size() && System.nanoTime() < until) {
            letters = letters(on, positions);
        }
        check(positions, letters, played);
        played.require(on.streams().pid() == pid && on.streams().isAlive(), "streams was started again");
        played.require(on.streams().countLogged("stream thread died") == deaths, "a stream thread died");
    }

    /** Dead letters of the records that were sent, by place; a place that comes twice is numbered. */
    private static Map<String, ConsumerRecord<byte[], byte[]>> letters(Installation on, Map<String, ?> positions) {
        var letters = new HashMap<String, ConsumerRecord<byte[], byte[]>>();
        for (var letter : on.reader().all(Topics.DEAD_LETTERS.name())) {
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
        var bad = new LinkedHashMap<String, Bad>();
        byte[] key = "okx|P".getBytes(UTF_8);
        long now = System.currentTimeMillis();
        var noise = new byte[1 + random.nextInt(200)];
        random.nextBytes(noise);
        bad.put("random bytes", new Bad(key, noise, null, "unreadable"));
        bad.put("2 MB", new Bad(key, new byte[2_000_000], null, "unreadable"));
        bad.put("9 MB packed into some kB", new Bad(key, new byte[9_000_000], null, "unreadable"));
        bad.put("no key", new Bad(null, quote("0.0001", "1", now), null, "no_key"));
        bad.put("no value", new Bad(key, null, null, "no_value"));
        bad.put("another key", new Bad("okx|Q".getBytes(UTF_8), quote("0.0001", "1", now), null, "key_mismatch"));
        bad.put(
                "bad UTF-8",
                new Bad(key, new byte[] {'{', '"', (byte) 0xc3, (byte) 0x28, '"', '}'}, null, "unreadable"));
        bad.put("NaN", new Bad(key, quote("NaN", "1", now), null, "unreadable"));
        bad.put("1e400", new Bad(key, quote("1e400", "1", now), null, "unreadable"));
        bad.put("10,000 digits", new Bad(key, quote("9".repeat(10_000), "1", now), null, "unreadable"));
        bad.put("unknown version", new Bad(key, quote("0.0001", "1", now), "quote/99", "unknown_schema"));
        bad.put("price 0", new Bad(key, quote("0.0001", "0", now), null, "price_not_positive"));
        bad.put("1100 %", new Bad(key, quote("11", "1", now), null, "rate_out_of_range"));
        return bad;
    }

    private static byte[] quote(String rate, String price, long observedAtMs) {
        return QUOTE.formatted(rate, price, observedAtMs).getBytes(UTF_8);
    }
}
