package io.fundingobservatory.gateway;

import static io.fundingobservatory.gateway.fixture.Responses.header;
import static io.fundingobservatory.gateway.fixture.Responses.json;
import static io.fundingobservatory.gateway.fixture.Responses.tree;
import static io.fundingobservatory.gateway.fixture.Responses.unpacked;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.site.UnitsWalk;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.gateway.publishing.GatewayService;
import io.fundingobservatory.gateway.publishing.GatewayService.FirstSnapshot;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Rate;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The gateway as it follows a real broker. Each test adds symbols of its own to the list, which begins with three rows. */
@MicronautTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Property(name = "observatory.gateway.traffic.exempt", value = "127.0.0.1")
@Property(name = "observatory.gateway.generation-interval", value = GatewayOnABrokerTest.SNAPSHOT_MS + "ms")
class GatewayOnABrokerTest implements TestPropertyProvider {
    static final long SNAPSHOT_MS = 1_000;

    private final KafkaFixture kafka = KafkaFixture.start();
    private final KafkaProducer<String, byte[]> producer = producer(kafka);
    private boolean brokerGone;

    @Inject
    RunningGateway gateway;

    @Inject
    GatewayService service;

    @Override
    public Map<String, String> getProperties() {
        return Map.of("observatory.kafka.bootstrap-servers", kafka.bootstrapServers());
    }

    private static KafkaProducer<String, byte[]> producer(KafkaFixture kafka) {
        var producer = new KafkaProducer<String, byte[]>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        kafka.bootstrapServers(),
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        "gateway-test"),
                new StringSerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    @BeforeAll
    void theFirstListIsThere() throws Exception {
        long now = System.currentTimeMillis();
        producer.beginTransaction();
        for (ListedVenue venue : ListedVenue.ALL) {
            send(
                    Topics.VENUES_STATUS,
                    venue.id(),
                    switch (venue.id()) {
                        case "okx" -> Samples.read("okx", now, 2, Map.of("no_rate", 3L));
                        case "binance" -> Samples.read("binance", now, 1, Map.of());
                        default -> Samples.withoutReader(venue.id());
                    });
        }
        send(Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now));
        send(Samples.bare("okx", "X-USDT-SWAP", "X", now));
        send(Samples.rate("binance", "BTCUSDT", "BTC", now));
        producer.commitTransaction();
        assertEquals(new FirstSnapshot(3, 2), service.firstList().get(5, TimeUnit.MINUTES));
    }

    @AfterAll
    void stop() {
        producer.close(Duration.ZERO);
        endBroker();
    }

    private void endBroker() {
        if (!brokerGone) {
            brokerGone = true;
            kafka.close();
        }
    }

    private <V> void send(Topic<V> topic, String key, V value) {
        producer.send(new ProducerRecord<>(topic.name(), key, topic.codec().encode(value)));
    }

    private void send(Rate rate) {
        send(Topics.RATES_LATEST, rate.key().toString(), rate);
    }

    private void send(String topic, String key, String value) {
        producer.send(new ProducerRecord<>(topic, key, value.getBytes(StandardCharsets.UTF_8)));
    }

    private JsonNode list() {
        return json(gateway.get("/api/v1/latest"));
    }

    private Set<String> symbols() {
        return new HashSet<>(list().path("rows").findValuesAsText("symbol"));
    }

    private long snapshotTime() {
        return list().at("/meta/generated_at_ms").asLong();
    }

    @Test
    void snapshotHasEnvelopeAndProcessIsReady() {
        JsonNode body = list();
        UnitsWalk.check(body);
        assertEquals("live", body.at("/meta/source").asText());
        assertTrue(body.at("/meta/coverage").asInt() >= 2);
        assertEquals(200, gateway.managed("/health/readiness"));
        assertEquals(200, gateway.managed("/health"));
    }

    @Test
    void whatIsNotCommittedIsNotSeen() throws Exception {
        long now = System.currentTimeMillis();
        producer.beginTransaction();
        send(Samples.rate("okx", "NEVER-USDT-SWAP", "NEVER", now));
        producer.flush();
        producer.abortTransaction();
        producer.beginTransaction();
        send(Samples.rate("okx", "LATER-USDT-SWAP", "LATER", now));
        // Same partition: a consumer that has read this one has passed the other.
        send(Samples.rate("okx", "NEVER-USDT-SWAP", "LATER", now));
        producer.commitTransaction();
        RunningGateway.await("both", () -> symbols().containsAll(Set.of("LATER-USDT-SWAP", "NEVER-USDT-SWAP")));
        assertFalse(list().path("rows").findValuesAsText("asset").contains("NEVER"));
    }

    @Test
    void observationUpdatesRowAndTombstoneRemovesIt() throws Exception {
        long before = snapshotTime();
        long now = System.currentTimeMillis();
        Rate rate = Samples.rate("bybit", "GONE", "GONE", now);
        producer.beginTransaction();
        send(rate);
        producer.commitTransaction();
        RunningGateway.await("the row", () -> symbols().contains("GONE"));
        String body = new String(gateway.get("/api/v1/latest").body(), StandardCharsets.UTF_8);
        assertTrue(body.contains(new String(Rate.CODEC.encode(rate), StandardCharsets.UTF_8)), body);
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(Topics.RATES_LATEST.name(), "bybit|GONE", null));
        producer.commitTransaction();
        RunningGateway.await("no row", () -> !symbols().contains("GONE"));
        assertTrue(snapshotTime() > before);
    }

    @Test
    void countsUnreadableRecordWithoutChange() throws Exception {
        long now = System.currentTimeMillis();
        long before = service.poison();
        Set<String> rows = symbols();
        producer.beginTransaction();
        send(Topics.RATES_LATEST.name(), "okx|POISON", "{\"venue\":1e400");
        send(Topics.RATES_LATEST, "okx|OTHER", Samples.rate("okx", "ANOTHER", "A", now));
        producer.send(new ProducerRecord<>(Topics.VENUES_STATUS.name(), "gate", new byte[] {(byte) 0xff}));
        send(Topics.CARRY_PAIRS.name(), "POISON", "{\"asset\":\"POISON\"}");
        send(Topics.CARRY_PAIRS, "OTHER", Samples.table("ANOTHER", now, List.of(), List.of()));
        producer.commitTransaction();
        RunningGateway.await("all five are counted", () -> service.poison() == before + 5);
        long counted = snapshotTime();
        RunningGateway.await("the next snapshot", () -> snapshotTime() > counted);
        Set<String> after = symbols();
        assertTrue(after.containsAll(rows));
        assertFalse(after.contains("POISON") || after.contains("ANOTHER") || after.contains("OTHER"));
    }

    @Test
    void servesPairsWithRatesOfSameSnapshot() throws Exception {
        long end = System.currentTimeMillis() / 3_600_000 * 3_600_000;
        producer.beginTransaction();
        send(
                Topics.CARRY_PAIRS,
                "BTC",
                Samples.table(
                        "BTC",
                        end,
                        List.of(Samples.pair(
                                Samples.leg("binance", "BTCUSDT", "0.001", 0, end),
                                Samples.leg("okx", "BTC-USDT-SWAP", "0.003", 0, end),
                                30,
                                null)),
                        List.of()));
        producer.commitTransaction();
        RunningGateway.await(
                "the ranking",
                () -> json(gateway.get("/api/v1/carry")).path("rows").has(0));
        HttpResponse<byte[]> response = gateway.get("/api/v1/carry");
        JsonNode body = json(response);
        UnitsWalk.check(body);
        assertEquals("0.002", body.at("/rows/0/funding_difference_30d").asText());
        assertEquals(1, body.at("/rows/0/price_ratio").asInt());
        assertFalse(header(response, "ETag").isEmpty());
        assertTrue(json(gateway.get("/api/v1"))
                .path("addresses")
                .toString()
                .contains("\"/api/v1/carry\",\"served\":\"yes\""));
    }

    /** Whatever a client accepts, it gets it of the same generation, and a cache may keep it until the next. */
    @Test
    void snapshotIsPreparedInEveryCoding() throws Exception {
        for (int snapshotTime = 0; snapshotTime < 3; snapshotTime++) {
            long before = snapshotTime();
            RunningGateway.await("the next snapshot", () -> snapshotTime() > before);
            var tags = new HashSet<String>();
            for (String coding : List.of("gzip", "")) {
                HttpResponse<byte[]> response = gateway.get("/api/v1/latest", "Accept-Encoding", coding);
                assertEquals(coding, header(response, "Content-Encoding"));
                tags.add(header(response, "ETag").substring(1, 33));
                long generated =
                        tree(unpacked(response)).at("/meta/generated_at_ms").asLong();
                assertEquals(0, generated % SNAPSHOT_MS, "a multiple in wall-clock time");
                String kept = header(response, "Cache-Control");
                assertTrue(kept.startsWith("public, max-age=1, stale-while-revalidate="), kept);
            }
            assertEquals(1, tags.size(), tags.toString());
        }
    }

    /** Runs behind the tests above. */
    @Nested
    class WhenTheBrokerHasGone {
        @Test
        void servesLastSnapshotWithGrowingAge() throws Exception {
            JsonNode before = list();
            endBroker();
            RunningGateway.await("a later generation without the broker", () -> {
                JsonNode now = list();
                assertEquals(before.path("rows"), now.path("rows"));
                return now.at("/meta/generated_at_ms").asLong()
                        > before.at("/meta/generated_at_ms").asLong();
            });
            assertEquals(200, gateway.managed("/health/readiness"));
            assertEquals(200, gateway.managed("/health/liveness"));
        }
    }
}
