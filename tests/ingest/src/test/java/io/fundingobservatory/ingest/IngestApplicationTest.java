package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.ingest.client.HttpTransport;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.testbed.sim.server.Fault;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ingest as the application that it is shipped as: its settings, its management port, its start and its health. */
@MicronautTest(transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IngestApplicationTest implements TestPropertyProvider {
    private final HttpClient client = HttpClient.newHttpClient();
    private KafkaFixture kafka;
    private SimulatedExchanges simulated;

    @Inject
    private EmbeddedServer server;

    @Override
    public Map<String, String> getProperties() {
        kafka = KafkaFixture.start();
        simulated = SimulatedExchanges.start(7, InstantSource.system(), Realism.SMALL);
        return Map.of(
                "observatory.management.port", "0",
                "observatory.kafka.bootstrap-servers", kafka.bootstrapServers(),
                "observatory.ingest.exchanges", "simulated:" + simulated.baseUrl(),
                "observatory.ingest.venues", "dydx,kraken",
                "observatory.ingest.poll-interval", "1s");
    }

    @AfterAll
    void stop() {
        client.close();
        simulated.close();
        kafka.close();
    }

    private HttpResponse<String> get(EmbeddedServer from, String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(from.getURI().resolve(path)).build(), BodyHandlers.ofString());
    }

    private JsonNode ingestHealth(EmbeddedServer from) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(get(from, "/health").body()).at("/details/ingest");
    }

    private JsonNode awaitHealth(String what, Predicate<JsonNode> condition) throws IOException {
        var health = new AtomicReference<JsonNode>();
        Await.until(what, () -> {
            health.set(ingestHealth(server));
            return condition.test(health.get());
        });
        return health.get();
    }

    private static boolean isUp(JsonNode health) {
        return health.at("/status").asText().equals("UP");
    }

    @Test
    void healthNamesVenueSilentForThreeIntervals() throws Exception {
        awaitHealth(
                "both venues polled",
                h -> isUp(h) && h.at("/details/venues_polled").asInt() == 2);

        // every request takes its whole deadline of 10 s, three intervals are 3 s
        simulated.fault("dydx", Fault.NO_RESPONSE);
        JsonNode down = awaitHealth(
                "it alone is silent",
                h -> !isUp(h) && h.at("/details/venues_silent").toString().equals("[\"dydx\"]"));
        assertTrue(down.at("/details/broker_reachable").asBoolean());
        assertEquals(503, get(server, "/health").statusCode());

        simulated.heal("dydx");
        awaitHealth("it reports again", IngestApplicationTest::isUp);
    }

    @Test
    void managementPortHasRequestsAndLimitUse() throws Exception {
        awaitHealth("both venues polled", h -> h.at("/details/venues_polled").asInt() == 2);
        String metrics = get(server, "/prometheus").body();
        for (String metric : new String[] {
            "observatory_ingest_http_requests_seconds_count{host=\"127.0.0.1\",status=\"200\"}",
            "observatory_ingest_http_response_bytes_sum{host=\"127.0.0.1\"}",
            "observatory_ingest_requests_total{outcome=\"answered\",request=\"perpetualMarkets\",venue=\"dydx\"}",
            "observatory_ingest_poll_seconds_bucket{venue=\"dydx\",le=\"60.0\"}",
            "observatory_build_info{commit=\"",
            "\",java=\"" + Runtime.version() + "\",release=\"1.0.0\"} 1",
            "kafka_producer_record_send_total{client_id=\"observatory-ingest\",",
            "kafka_producer_record_error_total{client_id=\"observatory-ingest\",",
            "kafka_producer_request_latency_max{client_id=\"observatory-ingest\",",
            "observatory_ingest_limit_used{pool=\"indexer.dydx.trade\",venue=\"dydx\"}"
        }) {
            assertTrue(metrics.contains(metric), () -> metric + " is not in\n" + metrics);
        }
        assertEquals(
                3,
                metrics.lines().filter(line -> line.startsWith("kafka_")).count(),
                "series of the producer\n" + metrics);
    }

    @Test
    void withoutBrokerProcessLivesAndHealthIsDown() throws Exception {
        try (EmbeddedServer waiting = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "observatory.management.port", "0",
                        "observatory.kafka.bootstrap-servers", "127.0.0.1:1",
                        "observatory.ingest.exchanges", "simulated:" + simulated.baseUrl()))) {
            JsonNode health = ingestHealth(waiting);
            assertEquals("DOWN", health.at("/status").asText());
            assertEquals(0, health.at("/details/venues_polled").asInt());
        }
    }

    /** Closing the framework's client first would make venues fail because of our own stop. */
    @Test
    void closesServiceBeforeHttpClient() throws Exception {
        EmbeddedServer stopping = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "observatory.management.port", "0",
                        "observatory.kafka.bootstrap-servers", "127.0.0.1:1",
                        "observatory.ingest.exchanges", "simulated:" + simulated.baseUrl()));
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            HttpTransport http = stopping.getApplicationContext().getBean(HttpTransport.class);
            URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
            var outcome = new CompletableFuture<Object>();
            Thread.ofVirtual().start(() -> {
                try {
                    outcome.complete(http.send("GET", uri, null, 1));
                } catch (InterruptedException e) {
                    outcome.complete(e);
                }
            });
            // A connection that nothing refers to is closed by the garbage collector.
            try (Socket _ = silent.accept()) {
                stopping.close();

                assertInstanceOf(InterruptedException.class, outcome.get(5, TimeUnit.MINUTES));
            }
        }
    }

    /** A value that cannot be converted would be replaced by the default. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "poll-intervall | 5s | unknown key observatory.ingest.poll-intervall; known below observatory.ingest are [contact, ",
                "poll-interval | soon | observatory.ingest.poll-interval is soon and must be a duration such as 10s",
                "limits | nonee | observatory.ingest.limits is nonee and must be one of [published, none]",
            })
    void settingThatCannotBeUsedStopsStart(String key, String value, String expected) {
        String line = String.valueOf(rootOf(assertThrows(
                        RuntimeException.class,
                        () -> ApplicationContext.run(Map.of("observatory.ingest." + key, value))
                                .close()))
                .getMessage());
        assertTrue(line.startsWith(expected), line);
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
