package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.Tls;
import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.testbed.Checkout;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.Environment;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be honoured ends the process with one line that names the setting. */
class SettingsCheckTest {
    @Test
    void misspeltSettingEndsProcessWithOneLine() throws Exception {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + Checkout.ROOT.resolve("gateway/jvm.options"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .redirectErrorStream(true);
        builder.environment().putAll(Map.of("OBSERVATORY_GATEWAY_PORT_CONECTIONS", "1", "MICRONAUT_SERVER_PORT", "0"));
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor(), printed);
        assertEquals(1, printed.lines().count(), printed);
        assertTrue(
                printed.startsWith("gateway: unknown key OBSERVATORY_GATEWAY_PORT_CONECTIONS; known below "), printed);
    }

    /** Only its certificate is in the file; or the key has another password than the store. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keyThatCannotBeOpenedEndsStart(boolean inStore, @TempDir Path dir) throws Exception {
        Path file = dir.resolve("public");
        var settings = new HashMap<String, Object>(Tls.served(file, "localhost"));
        X509Bundle made = new CertificateBuilder()
                .subject("CN=localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        if (inStore) {
            char[] ofStore = String.valueOf(settings.get("micronaut.certificate.file.public.password"))
                    .toCharArray();
            Files.copy(
                    made.toTempKeyStoreFile(ofStore, "another".toCharArray()).toPath(),
                    file,
                    StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.writeString(file, made.getCertificatePEM());
        }
        var failed = assertThrows(
                RuntimeException.class,
                () -> ApplicationContext.run(settings, Environment.TEST).close());
        assertEquals(
                "the certificate public has no key that can be opened: write it in PEM, or set micronaut.server.ssl.key.password",
                InnermostCause.reason(failed));
    }
}
