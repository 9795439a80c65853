package io.fundingobservatory.standalone;

import java.util.List;
import picocli.CommandLine.Option;

/** The ports that a whole installation in one process listens on. */
final class PortOptions {
    private static final String HTTP = "--http-port";
    private static final String MANAGEMENT = "--management-port";
    private static final String KAFKA = "--kafka-port";

    @Option(names = HTTP, paramLabel = "N", description = "The public HTTP port. Default: ${DEFAULT-VALUE}.")
    private int http = 8080;

    @Option(
            names = MANAGEMENT,
            paramLabel = "N",
            description = "Health and Prometheus metrics, on this machine only. Default: ${DEFAULT-VALUE}.")
    private int management = 8081;

    @Option(
            names = KAFKA,
            paramLabel = "N",
            description = "The broker's port, on this machine only. Default: ${DEFAULT-VALUE}.")
    private int kafka = 9092;

    /** Returns the ports; fails with one line when one of them is taken. */
    Installation.Ports free() {
        var ports =
                new Installation.Ports(new Port(http, HTTP), new Port(management, MANAGEMENT), new Port(kafka, KAFKA));
        List.of(ports.http(), ports.management(), ports.kafka()).forEach(Port::requireFree);
        return ports;
    }
}
