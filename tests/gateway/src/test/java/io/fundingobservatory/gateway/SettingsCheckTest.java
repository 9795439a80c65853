package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.Tls;
import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.testbed.EndedProcess;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.Environment;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be honoured ends the process with one line that names the setting. */
class SettingsCheckTest {
    @Test
    void misspeltSettingEndsProcessWithOneLine(@TempDir Path dir) throws Exception {
        var ended = EndedProcess.of(
                Main.class,
                dir.resolve("log"),
                Duration.ofMinutes(5),
                Map.of("OBSERVATORY_GATEWAY_PORT_CONECTIONS", "1", "MICRONAUT_SERVER_PORT", "0"));
        assertEquals(1, ended.exit(), ended.text());
        assertEquals(1, ended.text().lines().count(), ended.text());
        assertTrue(
                ended.text().startsWith("gateway: unknown key OBSERVATORY_GATEWAY_PORT_CONECTIONS; known below "),
                ended.text());
    }

    /** The framework would take the default in its place. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port.connections | many | a whole number",
                "traffic.window | long | a duration such as 10s",
                "generation-interval | often | a duration such as 10s",
            })
    void valueThatCannotBeUsedEndsStart(String key, String value, String form) {
        String name = "observatory.gateway." + key;
        var failed = assertThrows(
                RuntimeException.class,
                () -> ApplicationContext.run(Map.of(name, value), Environment.TEST)
                        .close());
        assertEquals(name + " is " + value + " and must be " + form, InnermostCause.reason(failed));
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
