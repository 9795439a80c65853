package io.fundingobservatory.standalone;

import static io.fundingobservatory.standalone.Ran.observatory;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.publishing.GatewayService;
import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.PublishedList;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RowMark;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * {@code observatory rebuild} on a real broker: lists as a gateway served them, and lists that cannot be made again. The broker and
 * tests at its side write to the same streams.
 */
class RebuildCommandTest {
    private static final int LISTS = 8;

    private final KafkaFixture kafka = KafkaFixture.start();
    private final KafkaProducer<String, byte[]> producer =
            producer(kafka, Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "rebuild-test"));

    /** As gateways write: what is acknowledged can be read. */
    private final KafkaProducer<String, byte[]> plain = producer(kafka, Map.of());

    /** A list as clients got it. */
    private record Served(String tag, String body, String tagOfAll, String bodyOfAll) {
        static Served of(Snapshot snapshot) {
            Content list = snapshot.latest(Scope.DEFAULT);
            Content all = snapshot.latest(Scope.ALL);
            return new Served(list.etag(null), text(list), all.etag(null), text(all));
        }

        private static String text(Content content) {
            var bytes = new ByteArrayOutputStream();
            content.body(null).forEach(segment -> bytes.writeBytes(segment.joined()));
            return bytes.toString(UTF_8);
        }
    }

    private static KafkaProducer<String, byte[]> producer(KafkaFixture kafka, Map<String, Object> more) {
        var config = new HashMap<>(more);
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
    }

    @AfterEach
    void stop() {
        producer.close();
        plain.close();
        kafka.close();
    }

    private GatewayService gateway() {
        return new GatewayService(
                new GatewaySettings(Duration.ofHours(1), Duration.ofSeconds(1), false, ""),
                KafkaAccess.at(kafka.bootstrapServers()),
                InstantSource.system(),
                new SimpleMeterRegistry());
    }

    private Ran rebuild(String... options) {
        var line = new ArrayList<>(List.of("rebuild", "--bootstrap-server", kafka.bootstrapServers()));
        line.addAll(Arrays.asList(options));
        return observatory(line.toArray(String[]::new));
    }

    private <V> void send(Topic<V> topic, String key, V value) {
        producer.send(new ProducerRecord<>(topic.name(), key, topic.codec().encode(value)));
    }

    /** What streams does with an observation: the same bytes to both topics. */
    private void observe(String venue, String symbol, long observedAtMs) {
        String row = """
                {"venue":"%1$s","symbol":"%2$s","asset":"BTC","quote":"USDT","contract_type":"linear","asset_class":null,"dex":null,\
                "funding_rate_8h":0.0001%3$03d,"funding_interval_h":8,"funding_interval_source":"row","funding_rate":0.0001%3$03d,\
                "rate_kind":"estimate","funding_rate_annualised":null,"next_funding_ms":null,"mark_price":50000.5,"index_price":null,\
                "price_scale":1,"venue_time_ms":null,"observed_at_ms":%4$d}""".formatted(venue, symbol, observedAtMs % 1_000, observedAtMs);
        for (Topic<Rate> topic : List.of(Topics.RATES_NORMALISED, Topics.RATES_LATEST)) {
            producer.send(new ProducerRecord<>(topic.name(), venue + '|' + symbol, row.getBytes(UTF_8)));
        }
    }

    private void status(String venue, long atMs, String reason, Map<String, Long> skipped) {
        send(
                Topics.VENUES_STATUS,
                venue,
                new VenueStatus(
                        venue,
                        Source.SIMULATED,
                        RateKind.ESTIMATE,
                        false,
                        null,
                        atMs,
                        atMs,
                        null,
                        reason,
                        1L,
                        skipped));
    }

    /** Statuses of all venues, of which three are read. */
    private void everyStatus(long nowMs) {
        for (ListedVenue venue : ListedVenue.ALL) {
            send(
                    Topics.VENUES_STATUS,
                    venue.id(),
                    new VenueStatus(
                            venue.id(), Source.SIMULATED, null, false, null, null, null, null, null, null, Map.of()));
        }
        for (String venue : List.of("okx", "gate", "derive")) {
            status(venue, nowMs, null, Map.of());
        }
    }

    /** Rows become new, stale and too old, are withdrawn, never committed or unreadable; statuses change as well. */
    private void change(int step) {
        long now = System.currentTimeMillis();
        producer.beginTransaction();
        for (int i = 0; i < 20; i++) {
            observe("okx", "币" + i + "-USDT-SWAP", now - i);
        }
        observe("derive", "BTC-PERP", now);
        observe("gate", "STALE" + step, now - 179_000);
        observe("gate", "OLD" + step, now - 599_000);
        status("gate", now, "step " + step, Map.of("not_trading", (long) step));
        producer.commitTransaction();
        producer.beginTransaction();
        observe("okx", "NEVER", now);
        producer.flush();
        producer.abortTransaction();
        producer.beginTransaction();
        if (step % 2 == 1) {
            producer.send(new ProducerRecord<>(Topics.RATES_LATEST.name(), "gate|STALE" + (step - 1), null));
            producer.send(new ProducerRecord<>(Topics.RATES_LATEST.name(), "gate|OLD" + (step - 1), null));
        }
        producer.send(new ProducerRecord<>(Topics.RATES_NORMALISED.name(), "okx|POISON", new byte[] {(byte) 0xff}));
        producer.send(new ProducerRecord<>(Topics.RATES_LATEST.name(), "okx|POISON", new byte[] {(byte) 0xff}));
        producer.commitTransaction();
    }

    /** Keeps every list of a gateway until so many have been served, while everything changes. */
    private void serve(GatewayService gateway, Map<Long, Served> served, int lists) throws Exception {
        long now = System.currentTimeMillis();
        producer.beginTransaction();
        everyStatus(now);
        for (String venue : List.of("okx", "gate", "derive")) {
            observe(venue, "FIRST", now);
        }
        producer.commitTransaction();
        gateway.start();
        gateway.firstList().get(5, TimeUnit.MINUTES);
        int until = served.size() + lists;
        int step = served.size();
        while (served.size() < until) {
            change(step);
            step++;
            int before = served.size();
            Await.until("another list", () -> {
                Snapshot current = Objects.requireNonNull(gateway.current());
                served.computeIfAbsent(current.generatedAtMs(), at -> Served.of(current));
                return served.size() > before;
            });
        }
        Await.until("every list is recorded", () -> gateway.recorded() >= gateway.snapshotCount());
    }

    @Test
    void rebuildsServedListsByteForByte() throws Exception {
        producer.initTransactions();
        // Not every list of a gateway is in served: the first of all may have gone before it was looked at.
        long beforeAll = System.currentTimeMillis() - 10_000;
        var served = new LinkedHashMap<Long, Served>();
        try (var gateway = gateway()) {
            serve(gateway, served, LISTS);
        }
        // Another one begins with tables that it restores from the topics.
        try (var gateway = gateway()) {
            serve(gateway, served, 3);
        }
        assertEquals(LISTS + 3, served.size());
        for (String shown : List.of("\"stale\":true", "removed_too_old", "not_trading", "币19-USDT-SWAP")) {
            assertTrue(served.values().stream().anyMatch(list -> list.body().contains(shown)), shown);
        }
        for (var list : served.entrySet()) {
            Ran ran = rebuild("--at", Instant.ofEpochMilli(list.getKey()).toString());
            assertEquals(0, ran.exit(), ran.err());
            assertTrue(ran.out().contains(list.getValue().body()), ran.err());
            assertTrue(ran.err().contains(list.getValue().tag()), ran.err());
        }
        long last = served.keySet().stream().max(Long::compare).orElseThrow();
        Ran all = rebuild("--at", Long.toString(last + 400), "--venues", "all");
        assertEquals(0, all.exit(), all.err());
        assertTrue(all.out().contains(served.get(last).bodyOfAll()), all.err());
        assertTrue(all.err().contains(served.get(last).tagOfAll()), all.err());

        long first = served.keySet().iterator().next();
        assertLine("no list of .* is kept; the oldest one is of .*", rebuild("--at", Long.toString(beforeAll)));
        assertLine(
                "no list of .* is recorded; the newest one is of .*", rebuild("--at", Long.toString(last + 600_000)));
        assertLine("no list of .* has the ETag 0{32}", rebuild("--at", Long.toString(first), "--tag", "0".repeat(32)));
    }

    private static void assertLine(String pattern, Ran ran) {
        assertEquals(1, ran.exit(), ran.err());
        assertFalse(ran.out().contains("rows"), ran.out());
        assertTrue(ran.err().lines().anyMatch(line -> line.matches("observatory: " + pattern)), ran.err());
    }

    private void list(long atMs, byte[] value) {
        write(new ProducerRecord<>(Topics.LISTS_PUBLISHED.name(), null, atMs, "tag", value));
    }

    private void write(ProducerRecord<String, byte[]> record) {
        plain.send(record);
        plain.flush();
    }

    private void list(long atMs, List<RowMark> marks, Map<String, Long> statuses) {
        list(atMs, "0", marks, statuses);
    }

    private void list(long atMs, String digit, List<RowMark> marks, Map<String, Long> statuses) {
        list(
                atMs,
                PublishedList.CODEC.encode(new PublishedList(
                        digit.repeat(32), digit.repeat(32), atMs, atMs, marks, statuses, Map.of(), Map.of())));
    }

    @Test
    void lostListsAreOneReadableLine() {
        long now = System.currentTimeMillis();
        assertLine("no published list is recorded on these brokers", rebuild("--at", Long.toString(now)));
        assertLine("--at is an instant such as .*, not yesterday", rebuild("--at", "yesterday"));
        list(now - 9_000, "{\"tag\":1e400".getBytes(UTF_8));
        assertLine(
                "the record of lists.published at offset 0 is damaged: .*",
                rebuild("--at", Long.toString(now - 9_000)));
        list(now - 8_000, List.of(new RowMark(3, "okx", "LOST", now - 8_100)), Map.of());
        assertLine(
                "partition 3 of rates.normalised does not hold the last row of the list: okx\\|LOST observed at .*",
                rebuild("--at", Long.toString(now - 8_000)));
        list(now - 7_000, List.of(), Map.of("okx", 41L));
        assertLine(
                "venues.status.history does not hold the status of okx any more",
                rebuild("--at", Long.toString(now - 7_000)));
        list(now - 6_000, List.of(), Map.of());
        assertLine(
                "the list of .* cannot be made again with its ETag 0{32}: .*",
                rebuild("--at", Long.toString(now - 6_000)));
        // Another gateway had read other rows by then.
        list(now - 6_000, "2", List.of(), Map.of());
        Ran several = rebuild("--at", Long.toString(now - 6_000));
        assertTrue(several.err().contains("several lists were published at this time"), several.err());
        assertTrue(several.err().contains("0".repeat(32) + ", " + "2".repeat(32)), several.err());
        assertLine(
                "the list of .* cannot be made again with its ETag 2{32}: .*",
                rebuild("--at", Long.toString(now - 6_000), "--tag", '"' + "2".repeat(32) + "-gzip\""));
        write(new ProducerRecord<>(Topics.VENUES_STATUS_HISTORY.name(), "okx", new byte[] {1}));
        list(now - 5_000, List.of(), Map.of("okx", 0L));
        assertLine(
                "the record of venues.status.history at offset 0 is damaged: .*",
                rebuild("--at", Long.toString(now - 5_000)));
        assertEquals(2, rebuild().exit(), "--at is required");
        Ran unreachable = observatory("rebuild", "--at", Long.toString(now), "--bootstrap-server", "127.0.0.1:1");
        assertLine("no broker could be read at 127.0.0.1:1: .*", unreachable);
    }
}
