package io.fundingobservatory.standalone.processes;

import io.fundingobservatory.testbed.EmbeddedKafka;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The three services as three processes that know each other only through Kafka; killed one by one, and back. */
class ThreeServicesIT {
    @TempDir
    private Path folder;

    @RegisterExtension
    private final ServiceProcesses processes = new ServiceProcesses();

    @Test
    void servesTheWholeListAndComesBackAfterKills() throws Exception {
        EmbeddedKafka kafka = processes.keep(EmbeddedKafka.start(folder.resolve("kafka"), 0));
        Map<String, String> brokers = Map.of("OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
        new ThreeServices(processes, folder, role -> brokers).serveAndComeBack(() -> {});
    }
}
