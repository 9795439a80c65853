package io.fundingobservatory.faults.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The three services as they are shipped: their jars, with the options that stand beside them, configured by the environment. */
public final class Services {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-Xmx192m",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private Services() {}

    /** The topology, as an instance of a name with a directory of its own. */
    public static JavaProcess.Spec streams(String instance, String brokers, Path state) {
        return service(
                "streams",
                instance,
                Map.of(
                        "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS", brokers,
                        "OBSERVATORY_STREAMS_INSTANCE_ID", instance,
                        "OBSERVATORY_STREAMS_STATE_DIR", state.toString()));
    }

    /** The public interface on a port; this machine's clients are never refused. */
    public static JavaProcess.Spec gateway(String instance, String brokers, int port) {
        return service(
                "gateway",
                instance,
                Map.of(
                        "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS",
                        brokers,
                        "OBSERVATORY_GATEWAY_TRAFFIC_EXEMPT",
                        "127.0.0.1",
                        "OBSERVATORY_GATEWAY_GENERATION_INTERVAL",
                        "1s",
                        "MICRONAUT_SERVER_PORT",
                        Integer.toString(port)));
    }

    /** The readers of some simulated exchanges. */
    public static JavaProcess.Spec ingest(String instance, String brokers, String exchanges, List<String> venues) {
        return service(
                "ingest",
                instance,
                Map.of(
                        "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS",
                        brokers,
                        "OBSERVATORY_INGEST_EXCHANGES",
                        "simulated:" + exchanges,
                        "OBSERVATORY_INGEST_VENUES",
                        String.join(",", venues),
                        "OBSERVATORY_INGEST_POLL_INTERVAL",
                        "5s"));
    }

    private static JavaProcess.Spec service(String module, String name, Map<String, String> settings) {
        Path jar = ROOT.resolve(module).resolve("target").resolve(module + ".jar");
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("mvn package makes " + jar);
        }
        Path options = ROOT.resolve(module).resolve("jvm.options");
        var arguments = new ArrayList<String>();
        if (Files.isRegularFile(options)) {
            arguments.add("@" + options);
        } else {
            arguments.addAll(OPTIONS);
        }
        arguments.addAll(List.of("-jar", jar.toString()));
        var environment = new HashMap<>(settings);
        environment.put("MALLOC_ARENA_MAX", "2");
        environment.put("OBSERVATORY_MANAGEMENT_PORT", Integer.toString(Ports.free()));
        return new JavaProcess.Spec(name, arguments, Map.copyOf(environment), 0);
    }
}
