package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.terminal.Stop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the brokers are and how they are reached, as Kafka's own tools take it. */
final class BrokerOptions {
    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            description = "The broker to connect to; default: ${DEFAULT-VALUE}.")
    private String bootstrapServer = "localhost:9092";

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Properties of the Kafka client, for example security.protocol and sasl.jaas.config.")
    private @Nullable Path commandConfig;

    /** The brokers as the services see them; a file that cannot be read stops the command with one line. */
    KafkaAccess access() {
        var properties = new Properties();
        if (commandConfig != null) {
            try (var in = Files.newBufferedReader(commandConfig)) {
                properties.load(in);
            } catch (IOException | IllegalArgumentException e) {
                throw new Stop("--command-config " + commandConfig + " cannot be read: " + e.getMessage());
            }
        }
        return new KafkaAccess(
                bootstrapServer,
                KafkaAccess.BROKERS_DEFAULT,
                properties.stringPropertyNames().stream()
                        .collect(Collectors.toMap(name -> name, properties::getProperty)));
    }

    @Override
    public String toString() {
        return bootstrapServer;
    }
}
