package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.settings.GatewaySettings;
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
import org.junit.jupiter.api.Timeout;

class GatewayServiceTest {
    private static final Map<String, String> REQUESTS_FOR_AN_HOUR =
            Map.of("default.api.timeout.ms", "3600000", "request.timeout.ms", "3600000");

    private static GatewayService service(String bootstrapServers) {
        var settings = new GatewaySettings(Duration.ofSeconds(60), Duration.ofSeconds(1), "");
        var kafka = new KafkaAccess(bootstrapServers, KafkaAccess.BROKERS_DEFAULT, REQUESTS_FOR_AN_HOUR);
        return new GatewayService(settings, kafka, InstantSource.system(), new SimpleMeterRegistry());
    }

    /** An orchestrator kills 10 s after its signal to stop, and responses under way have had 8 s of them. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void silentBrokerDoesNotDelayStop() throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            GatewayService service = service("127.0.0.1:" + silent.getLocalPort());
            service.start();
            try (Socket requests = silent.accept()) {
                assertTrue(requests.getInputStream().read() >= 0, "it receives a request, and sends no response");
                service.close();
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
