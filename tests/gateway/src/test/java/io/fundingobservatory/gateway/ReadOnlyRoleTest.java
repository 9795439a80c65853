package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.gateway.publishing.GatewayService;
import io.fundingobservatory.gateway.publishing.GatewayService.FirstSnapshot;
import io.fundingobservatory.gateway.publishing.TableFollower;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.broker.EmbeddedKafka;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A whole gateway whose role may read rates and statuses and look how far streams is. What each role may not do is tried on the brokers. */
class ReadOnlyRoleTest {
    private static final String ROLE = "gateway";
    private static final Map<String, String> PASSWORDS = Map.of("admin", "a", ROLE, "g");

    @TempDir
    Path directory;

    @RegisterExtension
    private final LoggedLines lines = LoggedLines.of(TableFollower.class);

    private static AclBinding allow(ResourceType type, String name, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:" + ROLE, "*", operation, AclPermissionType.ALLOW));
    }

    private static List<AclBinding> rights(String... topics) {
        var rights = new ArrayList<AclBinding>();
        for (String topic : topics) {
            rights.add(allow(ResourceType.TOPIC, topic, AclOperation.READ));
        }
        rights.add(allow(ResourceType.TOPIC, "quotes.raw", AclOperation.DESCRIBE));
        rights.add(allow(ResourceType.GROUP, "observatory-streams", AclOperation.DESCRIBE));
        return rights;
    }

    private static Map<String, Object> client(EmbeddedKafka broker, String user) {
        return new KafkaAccess(
                        broker.bootstrapServers(),
                        KafkaAccess.BROKERS_DEFAULT,
                        EmbeddedKafka.clientOf(user, PASSWORDS.get(user)))
                .client(Map.of());
    }

    private static <V> ProducerRecord<String, byte[]> record(Topic<V> topic, String key, V value) {
        return new ProducerRecord<>(topic.name(), key, topic.codec().encode(value));
    }

    private static RunningGateway gateway(EmbeddedKafka broker) {
        var settings = new ArrayList<>(List.of(
                "observatory.gateway.traffic.exempt",
                "127.0.0.1",
                // so long that only streams' progress can end the waiting
                "observatory.gateway.first-list-deadline",
                "1h",
                "observatory.kafka.bootstrap-servers",
                broker.bootstrapServers()));
        EmbeddedKafka.clientOf(ROLE, PASSWORDS.get(ROLE)).forEach((key, value) -> {
            settings.add("observatory.kafka.client." + key);
            settings.add(value);
        });
        return RunningGateway.start(settings.toArray(String[]::new));
    }

    @Test
    void servesRatesWithoutFurtherRights() throws Exception {
        try (var broker = EmbeddedKafka.startSecured(directory, PASSWORDS);
                var admin = Admin.create(client(broker, "admin"));
                var producer = new KafkaProducer<>(
                        client(broker, "admin"), new StringSerializer(), new ByteArraySerializer())) {
            TopicCreation.ensure(admin, (short) 1);
            // Pairs that cannot be read leave the rates alone.
            admin.createAcls(rights("rates.latest", "venues.status", "venues.quality"))
                    .all()
                    .get();
            // Three quotes of okx, of which streams has refused one: two rows, and its offset behind all three.
            long now = System.currentTimeMillis();
            for (ListedVenue venue : ListedVenue.ALL) {
                var status = venue.id().equals("okx")
                        ? Samples.read("okx", now, 3, Map.of())
                        : Samples.withoutReader(venue.id());
                producer.send(record(Topics.VENUES_STATUS, venue.id(), status));
            }
            for (String symbol : List.of("A", "B")) {
                producer.send(record(Topics.RATES_LATEST, "okx|" + symbol, Samples.rate("okx", symbol, symbol, now)));
            }
            for (String symbol : List.of("A", "B", "REFUSED")) {
                producer.send(new ProducerRecord<>(
                        Topics.QUOTES_RAW.name(), 0, "okx|" + symbol, symbol.getBytes(StandardCharsets.UTF_8)));
            }
            producer.flush();

            try (RunningGateway gateway = gateway(broker)) {
                var service = gateway.bean(GatewayService.class);
                RunningGateway.await(
                        "the tables are read",
                        () -> gateway.managedBody("/health/liveness").contains("UP"));
                assertEquals(
                        503, gateway.get("/api/v1/latest").statusCode(), "streams has not come past the third quote");
                admin.alterConsumerGroupOffsets(
                                "observatory-streams",
                                Map.of(new TopicPartition(Topics.QUOTES_RAW.name(), 0), new OffsetAndMetadata(3)))
                        .all()
                        .get();
                assertEquals(new FirstSnapshot(2, 1), service.firstList().get(5, TimeUnit.MINUTES));

                assertEquals(List.of("A", "B"), symbols(gateway));
                assertEquals(200, gateway.managed("/health"));
                assertEquals(200, gateway.managed("/health/readiness"));
                assertEquals(200, gateway.managed("/health/liveness"));

                // What is written later is followed as well, and the tables are opened once.
                RunningGateway.await(
                        "its own client says what it may not read",
                        () -> lines.all().stream().anyMatch(line -> line.contains("carry.pairs")));
                for (String symbol : List.of("C", "D")) {
                    producer.send(
                            record(Topics.RATES_LATEST, "okx|" + symbol, Samples.rate("okx", symbol, symbol, now)));
                    RunningGateway.await("a new row", () -> symbols(gateway).contains(symbol));
                }
                long opened =
                        lines.all().stream().filter("tables restored"::equals).count();
                assertEquals(1, opened);
            }
        }
    }

    private static List<String> symbols(RunningGateway gateway) {
        return Responses.json(gateway.get("/api/v1/latest")).path("rows").findValuesAsText("symbol");
    }
}
