package io.fundingobservatory.gateway.clients;

import io.fundingobservatory.gateway.fixture.Tls;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The same over TLS, where HTTP/1.1 was negotiated. */
@MicronautTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Property(name = "observatory.gateway.traffic.exempt", value = "127.0.0.1")
class HostileRequestsOverTlsTest extends HostileRequestsTest implements TestPropertyProvider {
    @TempDir
    private static Path directory;

    @Override
    public Map<String, String> getProperties() {
        return Tls.served(directory.resolve("public.pem"), "gateway");
    }
}
