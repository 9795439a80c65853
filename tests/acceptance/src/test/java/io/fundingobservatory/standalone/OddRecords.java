package io.fundingobservatory.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Records that no venue would cause, on the two topics that streams reads, all of one venue. Some once
 * stopped the service; others are seeded and have one to three unusual fields.
 */
final class OddRecords {
    /** Becomes a row, or a settlement. */
    static final String SHOWN = "shown";

    /** A contract that is listed, and whose settlements become published ones. */
    static final String SETTLED = "SETTLED";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 60 * MINUTE_MS;
    private static final long DAY_MS = 24 * HOUR_MS;

    private static final Map<String, List<String>> WORDS = Map.of(
            "contract_type", List.of("linear", "inverse", "quanto"),
            "rate_unit",
                    List.of(
                            "fraction",
                            "percent",
                            "quote_per_coin_at_index",
                            "quote_per_coin_at_mark",
                            "coin_per_quote_at_index"),
            "rate_kind", List.of("estimate", "fixed", "last_settled", "continuous"),
            "interval_source", List.of("row", "instrument_list", "announced_settlements", "documented"));

    private final String venue;
    private final long nowMs;
    private final List<Odd> odds = new ArrayList<>();

    /**
     * One record.
     *
     * @param fate {@link #SHOWN}, or the reason of its dead letter; null where either will do, if it is one of them
     */
    record Odd(
            ProducerRecord<byte[], byte[]> record, @Nullable String fate) {}

    OddRecords(String venue, long nowMs) {
        this.venue = venue;
        this.nowMs = nowMs;
    }

    /** A contract whose payments are published, under an asset that other exchanges have pairs of; first of all records. */
    Odd listed(String asset) {
        return odd(SETTLED, Map.of("base", text(asset)), SHOWN);
    }

    /** What once stopped the service, or could. */
    List<Odd> poison() {
        odds.clear();
        bytes();
        headers();
        quotes();
        settlements();
        return List.copyOf(odds);
    }

    /** Keys and values that are no quote, whatever they say. */
    private void bytes() {
        byte[] key = key("POISON");
        byte[] good = json(quote("POISON", Map.of()));
        byte[] badUtf8 = good.clone();
        badUtf8[badUtf8.length / 2] = (byte) 0xff;
        byte[] noise = new byte[700_000];
        new Random(1).nextBytes(noise);
        for (String topic : List.of(Topics.QUOTES_RAW.name(), Topics.SETTLEMENTS_RAW.name())) {
            add(topic, null, good, "no_key");
            add(topic, key, null, "no_value");
            add(topic, key, new byte[0], "unreadable");
            add(topic, key, new byte[] {1, 2, 3}, "unreadable");
            add(topic, key, new byte[2_000_000], "unreadable");
            add(topic, key, noise, "unreadable");
            add(topic, key, "[".repeat(100_000).getBytes(UTF_8), "unreadable");
            add(topic, key, "{\"venue\":\"okx\"}".getBytes(UTF_8), "unreadable");
        }
        String quotes = Topics.QUOTES_RAW.name();
        add(quotes, new byte[0], good, "key_mismatch");
        add(quotes, new byte[] {(byte) 0xff}, good, "key_mismatch");
        add(quotes, key("ANOTHER"), good, "key_mismatch");
        add(quotes, key, badUtf8, "unreadable");
        add(quotes, key, Arrays.copyOf(good, good.length - 1), "unreadable");
        add(quotes, key, (new String(good, UTF_8) + "{}").getBytes(UTF_8), "unreadable");
        add(quotes, key, ("\ufeff" + new String(good, UTF_8)).getBytes(UTF_8), "unreadable");
    }

    private void headers() {
        byte[] good = json(quote("POISON", Map.of()));
        for (String version : List.of("quote/99", "quote/0", "rate/1", "")) {
            var headers = new RecordHeaders().add(Topic.SCHEMA_HEADER, version.getBytes(UTF_8));
            add(Topics.QUOTES_RAW.name(), key("POISON"), good, headers, "unknown_schema");
        }
        // Valid records with headers of other software.
        byte[] padding = new byte[900_000];
        new Random(2).nextBytes(padding);
        byte[] padded = json(quote("HEADERS", Map.of()));
        add(Topics.QUOTES_RAW.name(), key("HEADERS"), padded, new RecordHeaders().add("trace", padding), SHOWN);
        var forged = new RecordHeaders().add("reason", new byte[] {1}).add("source-offset", "0".getBytes(UTF_8));
        add(Topics.QUOTES_RAW.name(), key("FORGED"), json(quote("FORGED", Map.of())), forged, SHOWN);
        add(Topics.QUOTES_RAW.name(), key("POISON"), new byte[] {7}, forged, "unreadable");
        // A producer's own stamp: the broker writes its own.
        odds.add(new Odd(
                new ProducerRecord<>(
                        Topics.QUOTES_RAW.name(),
                        null,
                        nowMs + 2 * DAY_MS,
                        key("STAMPED"),
                        json(quote("STAMPED", Map.of()))),
                SHOWN));
    }

    private void quotes() {
        refused("mark_price", "1e64", "unreadable"); // 65 digits once written out
        refused("mark_price", "1e21", "too_many_digits");
        refused("index_price", "1e-41", "too_many_digits");
        refused("mark_price", "0", "price_not_positive");
        refused("index_price", "-1", "price_not_positive");
        refused("interval_h", "0.00001", "interval_out_of_range");
        refused("interval_h", "1e9", "interval_out_of_range");
        refused("rate_hours", "0", "interval_out_of_range");
        refused("rate_hours", "-8", "interval_out_of_range");
        refused("interval_source", "null", "interval_out_of_range");
        refused("rate", "0." + "9".repeat(64), "too_many_digits");
        refused("rate", "10.1", "rate_out_of_range");
        refused("rate", "NaN", "unreadable");
        refused("rate", "1e400", "unreadable");
        refused("rate", "1e99999999999", "unreadable");
        refused("rate", "9".repeat(10_000), "unreadable");
        refused("rate", "\"0.0001\"", "unreadable");
        refused("rate_kind", text("guessed"), "unreadable");
        refused("observed_at_ms", "-9223372036854775808", "time_out_of_range");
        refused("observed_at_ms", "9223372036854775808", "unreadable");
        refused("next_funding_ms", "1", "time_out_of_range");
        refused("venue_time_ms", Long.toString(Long.MAX_VALUE), "time_out_of_range");
        refused("base", text("a\nb"), "text_out_of_range");
        refused("base", text("x".repeat(129)), "text_out_of_range");
        refused("quote", "\"\\ud800\"", "unreadable");
        refused("quote", text(" \u2003"), "unreadable");
        Map<String, String> elsewhere = quote("POISON", Map.of("venue", text("coinbase")));
        add(Topics.QUOTES_RAW.name(), "coinbase|POISON".getBytes(UTF_8), json(elsewhere), "unlisted_venue");
        // At the bounds, and right.
        shown("PRICE-1", "mark_price", "9".repeat(20) + "." + "9".repeat(40));
        shown("PRICE-2", "index_price", "1e-40");
        shown("RATE-1", "rate", "-10");
        shown("RATE-2", "rate", "1e-37");
        shown("RATE-3", "rate_hours", "null");
        shown("INTERVAL", "interval_h", "168");
        shown("AHEAD", "observed_at_ms", Long.toString(nowMs + 4 * MINUTE_MS));
        shown("PAST", "next_funding_ms", Long.toString(nowMs - DAY_MS));
        shown("币安人生|\"\\'<>&", "base", text("币安人生"));
    }

    private void settlements() {
        byte[] key = key(SETTLED);
        String topic = Topics.SETTLEMENTS_RAW.name();
        record Case(String field, String token, String fate) {}
        for (Case odd : List.of(
                new Case("rate", "0." + "9".repeat(64), "too_many_digits"),
                new Case("rate", "1e-41", "too_many_digits"),
                new Case("rate", "-11", "rate_out_of_range"),
                new Case("interval_h", "0.00001", "interval_out_of_range"),
                new Case("interval_h", "169", "interval_out_of_range"),
                new Case("settled_ms", Long.toString(nowMs + 2 * DAY_MS), "settled_in_the_future"),
                new Case("settled_ms", "-1", "settled_before_1970"),
                new Case("settled_ms", "1", "time_out_of_range"),
                new Case("rate_unit", text("quote_per_coin_at_mark"), "interval_or_price_unknown"),
                new Case("reference_price", "0", "price_not_positive"))) {
            var tokens = settlement(SETTLED, nowMs - HOUR_MS);
            tokens.put(odd.field, odd.token);
            add(topic, key, json(tokens), odd.fate);
        }
        var headers = new RecordHeaders().add(Topic.SCHEMA_HEADER, "settled-rate/2".getBytes(UTF_8));
        add(topic, key, json(settlement(SETTLED, nowMs - HOUR_MS)), headers, "unknown_schema");
        // 90 settlements of as many digits as are allowed: their sum has to fit into the table of the asset.
        for (int i = 1; i <= 90; i++) {
            var tokens = settlement(SETTLED, nowMs - i * 8 * HOUR_MS);
            tokens.put("rate", "9." + "9".repeat(39) + (i % 10));
            add(topic, key, json(tokens), SHOWN);
        }
    }

    /** Each of another contract, or of another minute of {@link #SETTLED}, so that none supersedes another. */
    List<Odd> seeded(int count, long seed) {
        var random = new Random(seed);
        odds.clear();
        for (int i = 0; i < count; i++) {
            boolean settled = i % 5 == 0;
            String symbol = settled ? SETTLED : "ODD-" + i + (random.nextInt(10) == 0 ? "币|\"\\'<>&" : "");
            Map<String, String> tokens =
                    settled ? settlement(symbol, nowMs - DAY_MS - (2 * i + 5) * MINUTE_MS) : quote(symbol, Map.of());
            List<String> fields = tokens.keySet().stream()
                    .filter(field -> !List.of("venue", "symbol", "settled_ms").contains(field))
                    .toList();
            for (int odd = 1 + random.nextInt(3); odd > 0; odd--) {
                String field = fields.get(random.nextInt(fields.size()));
                tokens.put(field, token(field, random));
            }
            Topic<?> topic = settled ? Topics.SETTLEMENTS_RAW : Topics.QUOTES_RAW;
            add(topic.name(), key(symbol), json(tokens), null);
        }
        return List.copyOf(odds);
    }

    private String token(String field, Random random) {
        if (random.nextInt(8) == 0) {
            return List.of("null", "true", "{}", "[1]", text("0.1"), "NaN", "1e400", "-0.0")
                    .get(random.nextInt(8));
        }
        if (WORDS.containsKey(field)) {
            List<String> words = WORDS.get(field);
            return text(words.get(random.nextInt(words.size())));
        }
        if (field.equals("base") || field.equals("quote")) {
            List<String> odd = List.of("a\nb", "a\0b", "\u2003", "", "1000PEPE", "xyz:TSLA", "币", "x".repeat(128));
            return text(random.nextBoolean() ? "x".repeat(120 + random.nextInt(16)) : odd.get(random.nextInt(8)));
        }
        if (field.endsWith("_ms")) {
            return switch (random.nextInt(4)) {
                case 0 -> Long.toString(random.nextLong());
                case 1 -> Integer.toString(random.nextInt(3) - 1);
                default -> Long.toString(nowMs + random.nextInt(1_200_000) - 600_000);
            };
        }
        if (field.endsWith("_h") || field.equals("rate_hours")) {
            return List.of("0", "-8", "1", "0.01", "0.02", "7", "24", "168", "169", "1e4")
                    .get(random.nextInt(10));
        }
        String digits = (1 + random.nextInt(9)) + "9".repeat(random.nextInt(random.nextBoolean() ? 6 : 70));
        return (random.nextInt(4) == 0 ? "-" : "") + digits + "e" + (random.nextInt(70) - 60);
    }

    private void refused(String field, String token, String reason) {
        odds.add(odd("POISON", Map.of(field, token), reason));
    }

    private void shown(String symbol, String field, String token) {
        odds.add(odd(symbol, Map.of(field, token), SHOWN));
    }

    private Odd odd(String symbol, Map<String, String> tokens, String fate) {
        byte[] value = json(quote(symbol, tokens));
        return new Odd(new ProducerRecord<>(Topics.QUOTES_RAW.name(), key(symbol), value), fate);
    }

    private void add(String topic, byte @Nullable [] key, byte @Nullable [] value, @Nullable String fate) {
        odds.add(new Odd(new ProducerRecord<>(topic, key, value), fate));
    }

    private void add(String topic, byte[] key, byte[] value, Headers headers, String fate) {
        odds.add(new Odd(new ProducerRecord<>(topic, null, key, value, headers), fate));
    }

    private byte[] key(String symbol) {
        return (venue + '|' + symbol).getBytes(UTF_8);
    }

    /** A quote that nothing speaks against but what is put in its place, as the tokens of its JSON. */
    private Map<String, String> quote(String symbol, Map<String, String> odd) {
        var tokens = new LinkedHashMap<String, String>();
        tokens.put("venue", text(venue));
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
        tokens.put("next_funding_ms", Long.toString(nowMs + HOUR_MS));
        tokens.put("mark_price", "100.5");
        tokens.put("index_price", "100.4");
        tokens.put("venue_time_ms", Long.toString(nowMs));
        tokens.put("observed_at_ms", Long.toString(nowMs));
        tokens.putAll(odd);
        return tokens;
    }

    private Map<String, String> settlement(String symbol, long settledMs) {
        var tokens = new LinkedHashMap<String, String>();
        tokens.put("venue", text(venue));
        tokens.put("symbol", text(symbol));
        tokens.put("settled_ms", Long.toString(settledMs));
        tokens.put("rate", "0.0001");
        tokens.put("rate_unit", text("fraction"));
        tokens.put("rate_hours", "null");
        tokens.put("interval_h", "8");
        tokens.put("reference_price", "null");
        tokens.put("observed_at_ms", Long.toString(nowMs));
        return tokens;
    }

    private static String text(String value) {
        return JSON.valueToTree(value).toString();
    }

    private static byte[] json(Map<String, String> tokens) {
        return tokens.entrySet().stream()
                .map(token -> text(token.getKey()) + ':' + token.getValue())
                .collect(Collectors.joining(",", "{", "}"))
                .getBytes(UTF_8);
    }
}
