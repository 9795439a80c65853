package io.fundingobservatory.gateway.descriptions;

import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.Tls;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The same over TLS. */
@MicronautTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Property(name = FixedSnapshots.ROWS, value = "3")
@Property(name = "observatory.gateway.traffic.exempt", value = "127.0.0.1")
@Property(name = "observatory.gateway.security-contact", value = "mailto:security@example.org")
class DescribedParametersOverTlsTest extends DescribedParametersTest implements TestPropertyProvider {
    @TempDir
    private static Path directory;

    @Override
    public Map<String, String> getProperties() {
        return Tls.served(directory.resolve("public.pem"), "gateway");
    }
}
