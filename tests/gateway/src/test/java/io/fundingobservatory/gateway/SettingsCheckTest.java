package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.runtime.InnermostCause;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be honoured fails the start, with one line that names the setting. */
class SettingsCheckTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "observatory.gateway.port.connections | 0 | observatory.gateway.port.connections is 0 and must be at least 1",
                "observatory.gateway.port.drain-delay | -1s | observatory.gateway.port.drain-delay is -1s and must be from 0s to 3600s",
                "observatory.gateway.traffic.sweep-percent | 101 | observatory.gateway.traffic.sweep-percent is 101 and must be from 1 to 100",
                "observatory.gateway.traffic.burst-points | 5 | observatory.gateway.traffic.burst-points is 5 and must be at least 6",
                "observatory.gateway.traffic.window-names | 30 | observatory.gateway.traffic.window-names is 30 and must be at least 50, which is observatory.gateway.traffic.request-names",
                "observatory.gateway.traffic.hour-names | 49 | observatory.gateway.traffic.hour-names is 49 and must be at least 50, which is observatory.gateway.traffic.request-names",
                "observatory.gateway.traffic.forwarding-header | X-Real-IP | observatory.gateway.traffic.forwarding-header is X-Real-IP and must be X-Forwarded-For or Forwarded",
                "observatory.gateway.security-contact | me@example.org | observatory.gateway.security-contact is me@example.org and must be a mailto: or https: URI",
                "observatory.gateway.port.conections | 1 | observatory.gateway.port.conections is not a setting of the gateway",
                "observatory.management.port | 0 | observatory.management.port is 0 and must be a port from 1 to 65535",
                "observatory.management.port | 18099 | the public port and observatory.management.port are both 18099",
                "micronaut.server.http-version | 2.0 | micronaut.server.http-version 2.0 cannot be used: the proxy in front speaks HTTP/2",
                "micronaut.server.dual-protocol | true | micronaut.server.dual-protocol cannot be used: there is one public port",
                "micronaut.server.netty.listeners.a.port | 0 | micronaut.server.netty.listeners cannot be used: there is one public port",
            })
    void itIsNamed(String key, String value, String reason) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "micronaut.server.port", "18099",
                "observatory.management.port", "18098",
                "observatory.kafka.bootstrap-servers", "127.0.0.1:1"));
        settings.put(key, value);
        RuntimeException failure = assertThrows(RuntimeException.class, () -> {
            try (ApplicationContext context = ApplicationContext.run(settings)) {
                context.getBean(EmbeddedServer.class).start();
            }
        });
        assertEquals(reason, InnermostCause.reason(failure));
    }

    /** Threads that accept connections have the transport of those that serve them: another one fails the start. */
    @Test
    void servesWithoutNativeTransport() {
        try (RunningGateway gateway =
                RunningGateway.start("micronaut.netty.event-loops.default.prefer-native-transport", "false")) {
            assertEquals(200, gateway.get("/robots.txt").statusCode());
        }
    }
}
