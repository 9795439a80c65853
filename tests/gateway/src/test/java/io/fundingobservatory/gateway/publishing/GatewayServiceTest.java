package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.tables.TableFollower;
import io.fundingobservatory.runtime.KafkaAccess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayServiceTest {
    @RegisterExtension
    private final LoggedLines lines = LoggedLines.of(TableFollower.class);

    private static final Map<String, String> REQUESTS_FOR_A_SECOND =
            Map.of("default.api.timeout.ms", "1000", "request.timeout.ms", "500");

    private static GatewayService service(String bootstrapServers) {
        var settings = new GatewaySettings(Duration.ofSeconds(60), Duration.ofSeconds(1), false, "");
        var kafka = new KafkaAccess(bootstrapServers, KafkaAccess.BROKERS_DEFAULT, REQUESTS_FOR_A_SECOND);
        return new GatewayService(settings, kafka, InstantSource.system(), new SimpleMeterRegistry());
    }

    /** A name without an address, as before the broker's service exists; and a port where nobody listens. */
    @ParameterizedTest
    @ValueSource(strings = {"no-such-broker.invalid:9092", "127.0.0.1:1"})
    void retriesAbsentBrokerForeverAndLogsOnce(String bootstrapServers) throws Exception {
        try (GatewayService service = service(bootstrapServers)) {
            service.start();
            String first = lines.next(300);
            assertTrue(first != null && first.contains("trying again"), first);
            assertEquals(List.of(), service.deadThreads());
            assertNull(service.current());
            assertFalse(service.firstList().isDone());
            assertNull(lines.next(3), "it is tried every second, and says nothing new");
            assertEquals(List.of(), service.deadThreads(), "and still is");
        }
    }

    /** An orchestrator kills 10 s after its signal to stop, and responses under way have had 8 s of them. */
    @Test
    void silentBrokerDoesNotDelayStop() throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            GatewayService service = service("127.0.0.1:" + silent.getLocalPort());
            service.start();
            silent.setSoTimeout(300_000);
            try (Socket requests = silent.accept()) {
                assertTrue(requests.getInputStream().read() >= 0, "it receives a request, and sends no response");
                long begun = System.nanoTime();
                service.close();
                long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
                // the clients' own time-outs are 30 and 60 s
                assertTrue(tookMs < 29_000, tookMs + " ms");
            }
        }
    }

    /** Its broker starts in the same process, and is not there before a stop. */
    @Test
    void startsNothingOnceItIsClosed() {
        GatewayService service = service("127.0.0.1:1");
        service.close();
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        service.start();
        assertTrue(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("gateway-"))
                .allMatch(before::contains));
    }

    @Test
    void aThreadThatHasEndedIsNamed() throws Exception {
        GatewayService service = service("127.0.0.1:1");
        assertEquals(List.of(), service.deadThreads(), "not started yet");
        Set<Thread> ofOthers = Thread.getAllStackTraces().keySet();
        service.start();
        Thread publisher = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("gateway-publisher") && !ofOthers.contains(thread))
                .findAny()
                .orElseThrow();
        publisher.interrupt();
        publisher.join(300_000);
        assertEquals(List.of("gateway-publisher"), service.deadThreads());
        service.close();
        assertEquals(List.of(), service.deadThreads(), "stopped");
    }
}
