package io.fundingobservatory.standalone.processes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.Checkout;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Services as processes, from the jars that the build has packaged; after a test all that it started is stopped, the last one first. */
public final class ServiceProcesses implements BeforeEachCallback, AfterEachCallback {
    private static final Path ROOT = Checkout.ROOT;

    private final List<AutoCloseable> running = new ArrayList<>();
    private String test = "";

    @Override
    public void beforeEach(ExtensionContext context) {
        test = context.getRequiredTestClass().getSimpleName();
    }

    /** Is closed after the test. */
    public <C extends AutoCloseable> C keep(C closeable) {
        running.add(closeable);
        return closeable;
    }

    /**
     * Starts a service; its log is {@code target/TEST-NAME.log}.
     *
     * @param name ingest, streams or gateway
     * @param environment its settings
     */
    Process start(String name, int managementPort, Map<String, String> environment) throws IOException {
        Path jar = ROOT.resolve(name).resolve("target").resolve(name + ".jar");
        assertTrue(jar.toFile().isFile(), "mvn package makes " + jar);
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-jar",
                        jar.toString())
                .redirectErrorStream(true)
                .redirectOutput(new File("target/" + test + "-" + name + ".log"));
        builder.environment().putAll(environment);
        builder.environment().put("OBSERVATORY_MANAGEMENT_PORT", Integer.toString(managementPort));
        Process process = builder.start();
        keep(() -> {
            process.destroyForcibly();
            process.waitFor(1, TimeUnit.MINUTES);
        });
        return process;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        for (AutoCloseable each : running.reversed()) {
            each.close();
        }
    }
}
