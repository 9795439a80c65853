package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Rate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A venue is silent for an hour: a gateway that has seen its rows and one that has not say the same about it. */
class SilentVenueTest {
    private static final long HOUR = 3_600_000;

    private final KafkaFixture kafka = KafkaFixture.start();
    private final KafkaProducer<String, byte[]> producer = new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()),
            new StringSerializer(),
            new ByteArraySerializer());
    private final AtomicLong later = new AtomicLong();

    @AfterEach
    void stop() {
        producer.close();
        kafka.close();
    }

    private GatewayService gateway() {
        return new GatewayService(
                new GatewaySettings(Duration.ofSeconds(1), Duration.ofSeconds(1), false, ""),
                KafkaAccess.at(kafka.bootstrapServers()),
                () -> Instant.ofEpochMilli(now()),
                new SimpleMeterRegistry());
    }

    private long now() {
        return System.currentTimeMillis() + later.get();
    }

    private <V> void send(Topic<V> topic, String key, V value) {
        producer.send(new ProducerRecord<>(topic.name(), key, topic.codec().encode(value)));
    }

    private void send(Rate rate) {
        send(Topics.RATES_LATEST, rate.key().toString(), rate);
    }

    /** The list of a snapshot, as clients get it. */
    private static JsonNode list(Snapshot snapshot) {
        Content list = snapshot.latest(Scope.DEFAULT, RowForm.WHOLE);
        var bytes = new ByteArrayOutputStream();
        list.body(false).forEach(segment -> bytes.writeBytes(segment.joined()));
        return Responses.tree(bytes.toByteArray());
    }

    private static String tag(Snapshot snapshot) {
        return snapshot.latest(Scope.DEFAULT, RowForm.WHOLE).tag();
    }

    private static List<String> leftOut(Snapshot snapshot) {
        return StreamSupport.stream(list(snapshot).at("/meta/missing/symbols").spliterator(), false)
                .map(left ->
                        left.path("venue").asText() + ' ' + left.path("reason").asText() + ' ' + left.path("count"))
                .toList();
    }

    @Test
    void oldAndNewGatewayCountSilentVenueAlike() throws Exception {
        ListedVenue.ALL.forEach(venue -> send(Topics.VENUES_STATUS, venue.id(), Samples.withoutReader(venue.id())));
        send(Topics.VENUES_STATUS, "okx", Samples.read("okx", now(), 1, Map.of()));
        send(Topics.VENUES_STATUS, "gate", Samples.read("gate", now(), 3, Map.of("not_trading", 2L)));
        send(Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now()));
        List.of("BTC", "ETH", "SOL").forEach(asset -> send(Samples.rate("gate", asset + "_USDT", asset, now())));
        try (GatewayService old = gateway()) {
            old.start();
            old.firstList().get(5, TimeUnit.MINUTES);
            Await.until("all rows", () -> snapshot(old).rows() == 4);
            assertEquals(List.of("gate not_trading 2"), leftOut(snapshot(old)));

            later.set(HOUR);
            send(Topics.VENUES_STATUS, "okx", Samples.read("okx", now(), 1, Map.of()));
            send(Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now()));
            for (String asset : List.of("BTC", "ETH", "SOL")) {
                producer.send(new ProducerRecord<>(Topics.RATES_LATEST.name(), "gate|" + asset + "_USDT", null));
            }
            producer.flush();
            try (GatewayService restarted = gateway()) {
                restarted.start();
                restarted.firstList().get(5, TimeUnit.MINUTES);
                var tags = new HashMap<Long, String>();
                Await.until("a list of the same time and bytes", () -> {
                    tags.put(snapshot(old).generatedAtMs(), tag(snapshot(old)));
                    Snapshot other = snapshot(restarted);
                    return tag(other).equals(tags.get(other.generatedAtMs()));
                });
                assertEquals(1, snapshot(restarted).rows());
                assertEquals(List.of("gate not_trading 2", "gate removed_too_old 3"), leftOut(snapshot(restarted)));
                Await.until(
                        "the same of the other",
                        () -> leftOut(snapshot(old)).equals(List.of("gate not_trading 2", "gate removed_too_old 3")));
            }
        }
    }

    private static Snapshot snapshot(GatewayService gateway) {
        return Objects.requireNonNull(gateway.current());
    }
}
