package io.fundingobservatory.process;

import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The three services as their images start them ({@code Dockerfile}). Each has its jar, its options
 * file and a class archive, and is configured by the environment.
 */
public final class Services {
    private static final Path ROOT = Checkout.ROOT;
    private static final String BOOTSTRAP_SERVERS = "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS";

    /** Recoveries are measured with archives. Where nothing is measured C1 alone is faster. */
    private static final boolean ARCHIVES = Boolean.getBoolean("faults.archives");

    /** Where a service serves its health and its metrics. */
    public static final String MANAGEMENT_PORT = "OBSERVATORY_MANAGEMENT_PORT";

    private Services() {}

    /** The topology, as an instance of a name with a directory of its own. */
    public static JavaProcess.Spec streams(String instance, String brokers, Path state) {
        return service("streams", instance, Map.of(BOOTSTRAP_SERVERS, brokers))
                .with("OBSERVATORY_STREAMS_INSTANCE_ID", instance)
                .with("OBSERVATORY_STREAMS_STATE_DIR", state.toString())
                .with("OBSERVATORY_STREAMS_TABLES_WAIT", "5s");
    }

    /** The public interface on a port; this machine's clients are never refused. */
    public static JavaProcess.Spec gateway(String instance, String brokers, int port) {
        return service("gateway", instance, Map.of(BOOTSTRAP_SERVERS, brokers))
                .with("OBSERVATORY_GATEWAY_TRAFFIC_EXEMPT", "127.0.0.1")
                .with("OBSERVATORY_GATEWAY_GENERATION_INTERVAL", "1s")
                .with("MICRONAUT_SERVER_PORT", Integer.toString(port));
    }

    /** The readers of some simulated exchanges. */
    public static JavaProcess.Spec ingest(String instance, String brokers, String exchanges, List<String> venues) {
        return service("ingest", instance, Map.of(BOOTSTRAP_SERVERS, brokers))
                .with("OBSERVATORY_INGEST_EXCHANGES", "simulated:" + exchanges)
                .with("OBSERVATORY_INGEST_VENUES", String.join(",", venues))
                .with("OBSERVATORY_INGEST_POLL_INTERVAL", "5s");
    }

    /**
     * A service with the options of its image, with a management port of its own.
     *
     * @param module ingest, streams or gateway
     * @param settings its environment
     */
    public static JavaProcess.Spec service(String module, String name, Map<String, String> settings) {
        Path jar = ROOT.resolve(module).resolve("target").resolve(module + ".jar");
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("mvn package makes " + jar);
        }
        Path options = ROOT.resolve(module).resolve("jvm.options");
        var environment = new HashMap<>(settings);
        environment.put("MALLOC_ARENA_MAX", "2");
        environment.put(MANAGEMENT_PORT, Integer.toString(FreePort.next()));
        var spec =
                new JavaProcess.Spec(name, List.of("@" + options, "-jar", jar.toString()), Map.copyOf(environment), 0);
        return spec.with(
                ARCHIVES ? "-XX:AOTCache=" + StartArchive.of(ROOT, module, jar, options) : "-XX:TieredStopAtLevel=1");
    }
}
