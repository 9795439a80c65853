package io.fundingobservatory.gateway.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.RunningGateway;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients write into fields is theirs: however many different values come, none is kept and none changes the response. */
@Tag("nightly")
class ManyHeadersTest {
    private static final int VALUES = 20_000;
    private static final int AT_ONCE = 250;
    private static final int VALUE_BYTES = 1_000;

    /** So many make a value different from all others. */
    private static final int OWN_LETTERS = 16;

    private static final String FILLING = "x".repeat(VALUE_BYTES - OWN_LETTERS);

    private final RunningGateway gateway = RunningGateway.starting();

    @ParameterizedTest
    @ValueSource(strings = {"Accept-Language", "Accept", "Accept-Encoding", "If-None-Match", "User-Agent"})
    void doesNotCacheManyDifferentValues(String field) throws IOException {
        var random = new Random(field.hashCode());
        var responses = new HashSet<String>();
        send(field, random, AT_ONCE, responses);
        long before = usedBytes();
        for (int sent = 0; sent < VALUES; sent += AT_ONCE) {
            send(field, random, AT_ONCE, responses);
        }
        long grown = usedBytes() - before;
        assertEquals(1, responses.size(), responses.toString());
        // Kept as Latin-1 they would take a megabyte for each thousand.
        assertTrue(grown < (long) VALUES * VALUE_BYTES / 4, grown + " bytes more in use after " + VALUES + " values");
    }

    /** On the heap after collections: what weak references held is gone after the second or third. */
    private static long usedBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    /** Sends all requests at once, and reads every response but its date. */
    private void send(String field, Random random, int count, Set<String> responses) throws IOException {
        var requests = new StringBuilder(count * (VALUE_BYTES + 100));
        for (int i = 0; i < count; i++) {
            requests.append("HEAD /openapi.yaml HTTP/1.1\r\nHost: a\r\n")
                    .append(i == count - 1 ? "Connection: close\r\n" : "")
                    .append(field)
                    .append(": ");
            random.ints(OWN_LETTERS, 'a', 'z' + 1).forEach(letter -> requests.append((char) letter));
            requests.append(FILLING).append("\r\n\r\n");
        }
        try (Socket socket = gateway.connect()) {
            socket.setSoTimeout(60_000);
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            writer.join();
            String[] each = all.split("\r\n\r\n", -1);
            assertEquals(count, each.length - 1);
            for (int i = 0; i < count; i++) {
                responses.add(each[i].replaceAll("(?i)\r\n(date|connection):[^\r]*", ""));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
