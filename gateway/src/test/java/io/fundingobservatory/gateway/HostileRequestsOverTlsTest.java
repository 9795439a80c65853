package io.fundingobservatory.gateway;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The same over TLS, where HTTP/1.1 was negotiated. */
class HostileRequestsOverTlsTest extends HostileRequestsTest {
    @TempDir
    private static Path directory;

    @Override
    String[] settings() throws Exception {
        Path certificate = directory.resolve("public.pem");
        Tls.certificate(certificate, "gateway");
        return Tls.settings(certificate, super.settings());
    }
}
