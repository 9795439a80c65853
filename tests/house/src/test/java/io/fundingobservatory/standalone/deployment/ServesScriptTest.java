package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.fundingobservatory.testbed.Checkout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The script that {@code helm test} runs: it waits until a gateway serves. */
class ServesScriptTest {
    private record Run(int code, List<String> statuses) {}

    private static Run run(int port, int tries) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "bash",
                        Checkout.ROOT.resolve("deploy/image/serves").toString(),
                        "127.0.0.1",
                        String.valueOf(port),
                        "0",
                        String.valueOf(tries))
                .redirectErrorStream(true)
                .start();
        List<String> lines = process.inputReader().readAllLines();
        return new Run(
                process.waitFor(),
                lines.stream().map(line -> line.replaceAll(".* ", "")).toList());
    }

    @Test
    void waitsWhileGatewayStarts() throws Exception {
        var statuses = new ArrayDeque<Integer>(List.of(503, 503, 200));
        HttpServer gateway = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        gateway.createContext("/api/v1/latest", exchange -> {
            exchange.sendResponseHeaders(statuses.remove(), 0);
            exchange.close();
        });
        gateway.start();
        try {
            assertEquals(
                    new Run(0, List.of("503", "503", "200")),
                    run(gateway.getAddress().getPort(), 9));
        } finally {
            gateway.stop(0);
        }
    }

    @Test
    void failsWhereNothingListens() throws Exception {
        int closed;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        assertEquals(new Run(1, List.of("none", "none")), run(closed, 2));
    }

    @Test
    void chartAndImageHaveIt() throws IOException {
        String pod = Files.readString(Chart.HOME.resolve("templates/tests/serves.yaml"));
        assertTrue(pod.contains("command: [/opt/observatory/serves, "), pod);
        String image = Files.readString(Checkout.ROOT.resolve("Dockerfile"));
        assertTrue(image.contains(" deploy/image/serves "), image);
    }
}
