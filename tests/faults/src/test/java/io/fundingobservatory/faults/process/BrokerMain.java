package io.fundingobservatory.faults.process;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

/** One broker and controller of a cluster: {@code BrokerMain <server.properties> <cluster id>}. */
final class BrokerMain {
    private BrokerMain() {}

    public static void main(String[] args) throws Exception {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(Path.of(args[0]))) {
            properties.load(reader);
        }
        Path home = Path.of(properties.getProperty("log.dirs"));
        if (!Files.exists(home.resolve("meta.properties"))) {
            new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .setNodeId(Integer.parseInt(properties.getProperty("node.id")))
                    .setClusterId(args[1])
                    .setControllerListenerName("CONTROLLER")
                    .setMetadataLogDirectory(home.toString())
                    .setDirectories(List.of(home.toString()))
                    .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                    .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                    .setIgnoreFormatted(true)
                    .run();
        }
        var server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(server::shutdown));
        server.startup();
        server.awaitShutdown();
    }
}
