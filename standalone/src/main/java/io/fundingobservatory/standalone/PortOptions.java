package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.terminal.Stop;
import java.util.HashMap;
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

    /** Returns three different ports; fails with one line when one of them is taken or impossible. */
    Installation.Ports free() {
        var ports =
                new Installation.Ports(new Port(http, HTTP), new Port(management, MANAGEMENT), new Port(kafka, KAFKA));
        List<Port> all = List.of(ports.http(), ports.management(), ports.kafka());
        all.forEach(Port::requireNumber);
        var options = new HashMap<Integer, String>();
        for (Port port : all) {
            String other = options.put(port.number(), port.option());
            if (other != null) {
                throw new Stop(other + " and " + port.option() + " are both " + port.number()
                        + "; choose three different ports");
            }
        }
        all.forEach(Port::requireFree);
        return ports;
    }
}
