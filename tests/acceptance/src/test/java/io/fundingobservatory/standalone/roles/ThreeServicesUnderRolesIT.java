package io.fundingobservatory.standalone.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.standalone.Http;
import io.fundingobservatory.standalone.deployment.Metrics;
import io.fundingobservatory.standalone.processes.ServiceProcesses;
import io.fundingobservatory.standalone.processes.ThreeServices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The three services as processes that communicate only through Kafka, each with the rights of its role. The
 * broker's certificate changes, and the services are killed one by one and come back. The metrics that they
 * publish match the pages.
 */
@Tag("nightly")
class ThreeServicesUnderRolesIT {
    @TempDir
    private Path folder;

    @RegisterExtension
    private final ServiceProcesses processes = new ServiceProcesses();

    @Test
    void theyServeAsDescribedWithNoOtherRights() throws Exception {
        SecuredInstallation kafka = processes.keep(SecuredInstallation.start(folder.resolve("kafka")));
        var services = new ThreeServices(processes, folder, kafka::environment);
        services.serveAndComeBack(() -> {
            for (int port : services.managementPorts().values()) {
                assertEquals(200, Http.get(port, "/health/liveness").statusCode());
            }
            awaitMetricsAsDescribed(services.managementPorts());
            readAsATeamReads(kafka);
            kafka.changeCertificate();
        });
    }

    /** The examples of docs/kafka.md, as a user with the role of a team. */
    private void readAsATeamReads(SecuredInstallation kafka) throws Exception {
        kafka.authority(folder.resolve("ca.crt"));
        var page = new KafkaPage(folder, kafka.bootstrapServers(), "team", SecuredInstallation.password("team"));
        Pattern row = Pattern.compile("(binance|bybit|okx|bitget|gate|kraken|hyperliquid|dydx)\\|\\S+ .+");
        page.java(5).forEach(line -> assertTrue(row.matcher(line).matches(), line));
        if (KafkaPage.has("kcat", "-V")) {
            page.kcat(5).forEach(line -> assertTrue(line.contains("\"funding_rate_8h\":"), line));
        } else {
            System.out.println("kcat is not installed: its example was not run");
        }
        if (KafkaPage.has("python3", "-c", "import confluent_kafka")) {
            page.python(5).forEach(line -> assertTrue(row.matcher(line).matches(), line));
        } else {
            System.out.println("python3 has no confluent_kafka: its example was not run");
        }
    }

    /** Some of them begin with the first settled history that is read. */
    private static void awaitMetricsAsDescribed(Map<String, Integer> ports) throws Exception {
        long deadline = System.nanoTime() + ThreeServices.PATIENCE.toNanos();
        Set<String> problems;
        do {
            var scraped = new HashMap<String, String>();
            for (var service : ports.entrySet()) {
                scraped.put(
                        service.getKey(),
                        Http.get(service.getValue(), "/prometheus").body());
            }
            problems = Metrics.problems(scraped);
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        } while (!problems.isEmpty() && System.nanoTime() < deadline);
        assertEquals(Set.of(), problems);
    }
}
