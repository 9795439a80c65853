package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DrainTest {
    @RegisterExtension
    private final LoggedLines errors = LoggedLines.errorsOf("io.micronaut");

    @Test
    void finishesResponsesWhileAcceptingNoConnections() throws Exception {
        RunningGateway gateway = RunningGateway.start(
                "observatory.gateway.traffic.exempt",
                "127.0.0.1",
                // however slow the machine is, the responses end before it
                "micronaut.lifecycle.graceful-shutdown.grace-period",
                "5m");
        try (var slow = new Socket();
                Socket silent = gateway.connect()) {
            slow.setReceiveBufferSize(4_096);
            slow.connect(new InetSocketAddress("127.0.0.1", gateway.port()));
            slow.setSoTimeout(60_000);
            // More than the buffers on the way hold: some are sent and not read when the gateway is closed. The
            // framework ends a
            // connection with over 128 requests without a response.
            slow.getOutputStream()
                    .write("GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n"
                            .repeat(100)
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = slow.getInputStream();
            String first = response(in);
            RunningGateway.await("two connections", () -> gateway.connections() == 2);

            var closed = CompletableFuture.runAsync(gateway::close);
            silent.setSoTimeout(60_000);
            assertEquals(-1, silent.getInputStream().read(), "a connection without a request ends at once");
            // Another thread closes the listening socket: it may be a moment later.
            RunningGateway.await("no connection is taken", () -> isRefused(gateway));
            assertTrue(!closed.isDone(), "the responses are still being read");

            int responses = 1;
            for (String next = response(in); !next.isEmpty(); next = response(in)) {
                assertEquals(first, next, "response " + responses);
                responses++;
            }
            assertTrue(responses > 2, responses + " responses to what was taken in before the end");
            closed.get(5, TimeUnit.MINUTES);
            assertEquals(List.of(), errors.all(), "what gets no response any more is no error");
        } finally {
            gateway.close();
        }
    }

    private static boolean isRefused(RunningGateway gateway) {
        try {
            gateway.connect().close();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** One response, whole; empty at the end of the connection. */
    private static String response(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                assertEquals("", head.toString(), "a response was cut off");
                return "";
            }
            head.append((char) next);
        }
        int from = head.toString().toLowerCase(Locale.ROOT).indexOf("content-length: ") + 16;
        int length = Integer.parseInt(head.substring(from, head.indexOf("\r\n", from)));
        byte[] body = in.readNBytes(length);
        assertEquals(length, body.length, "a response was cut off");
        return new String(body, StandardCharsets.UTF_8);
    }
}
