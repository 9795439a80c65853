package io.fundingobservatory.gateway.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.gateway.fixture.Tls;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** TLS that is none. Requests are read by the same handlers as without TLS: {@link HostileRequestsTest}. */
@MicronautTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Property(name = "observatory.gateway.traffic.exempt", value = "127.0.0.1")
class HostileRequestsOverTlsTest implements TestPropertyProvider {
    @Inject
    RunningGateway gateway;

    @TempDir
    private static Path directory;

    @RegisterExtension
    private final LoggedLines errors = LoggedLines.errorsOf("io.micronaut");

    @Override
    public Map<String, String> getProperties() {
        return Tls.served(directory.resolve("public.pem"), "gateway");
    }

    /** What gets to the framework's last handler is logged with its trace, and its connection stays open. */
    @Test
    void brokenRecordEndsConnectionWithoutTrace() throws IOException {
        List<String> before = errors.all();
        try (var connection = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            connection.setSoTimeout(60_000);
            Tls.over(connection, "http/1.1").startHandshake();
            connection.getOutputStream().write("no record of TLS".getBytes(StandardCharsets.US_ASCII));
            connection.getInputStream().readAllBytes();
        }
        assertEquals(before, errors.all());
    }
}
