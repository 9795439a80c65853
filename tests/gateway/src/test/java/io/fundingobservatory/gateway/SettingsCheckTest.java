package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.Checkout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
