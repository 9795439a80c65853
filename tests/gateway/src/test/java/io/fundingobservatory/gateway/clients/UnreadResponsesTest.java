package io.fundingobservatory.gateway.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What large responses cost that clients request and do not read: they pin a bounded number of bytes, and the gzip list is always there. */
@MicronautTest
@Property(name = FixedSnapshots.ROWS, value = "350")
@Property(name = "observatory.gateway.traffic.exempt", value = "127.0.0.0/16")
@Property(name = "observatory.gateway.port.request-deadline", value = "1h")
@Property(name = "observatory.gateway.port.response-deadline", value = "1h")
class UnreadResponsesTest {
    private static final int MEGABYTE = 1 << 20;

    private static final String ALL = "/api/v1/latest?venues=all";

    @Inject
    RunningGateway gateway;

    @Inject
    FixedSnapshots snapshots;

    private final List<SocketChannel> readers = new ArrayList<>();

    private SocketChannel reader(String address) throws IOException {
        SocketChannel channel = SocketChannel.open();
        readers.add(channel);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
        channel.bind(new InetSocketAddress(address, 0));
        channel.connect(new InetSocketAddress("127.0.0.1", gateway.port()));
        return channel;
    }

    private static ByteBuffer request(String path, String coding) {
        return ByteBuffer.wrap(("GET " + path + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + coding + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    }

    private static int status(SocketChannel channel) throws IOException {
        ByteBuffer line = ByteBuffer.allocate("HTTP/1.1 200".length());
        while (line.hasRemaining()) {
            assertTrue(channel.read(line) > 0, "closed without a response");
        }
        return Integer.parseInt(new String(line.array(), StandardCharsets.US_ASCII).substring("HTTP/1.1 ".length()));
    }

    /** Requests, and reads nothing but the status: the whole response was then written, or taken into the count. */
    private int unread(String path, String coding) throws IOException {
        SocketChannel channel = reader("127.0.1." + (1 + readers.size() / 32));
        channel.write(request(path, coding));
        return status(channel);
    }

    @AfterEach
    void closeAll() throws IOException {
        for (SocketChannel reader : readers) {
            reader.close();
        }
        RunningGateway.await("nothing is unsent", () -> gateway.unsentBytes() == 0);
    }

    /** Whole lists, each of another snapshot, in which every row is another one; or lists that are rendered, each another one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unreadListsPinBoundedBytes(boolean whole) throws IOException {
        int refused = 0;
        for (int i = 0; i < 60 && refused < 2; i++) {
            refused += unread(whole ? ALL : ALL + "&limit=" + (9_999 - i), "identity") == 503 ? 1 : 0;
            if (whole) {
                snapshots.next();
            }
        }
        assertTrue(refused > 0, "plain lists are refused at last");
        assertBounded();
        if (whole) {
            assertEquals(503, gateway.get(ALL).statusCode());
        }
        assertPreparedListsAreThere();
    }

    private void assertBounded() {
        assertTrue(gateway.unsentBytes() < 64L * MEGABYTE, gateway.unsentBytes() + " bytes");
        assertTrue(gateway.responseBytes() < 64L * MEGABYTE, gateway.responseBytes() + " bytes");
    }

    private void assertPreparedListsAreThere() {
        for (String list : List.of(ALL, "/api/v1/latest")) {
            assertEquals(200, gateway.get(list, "Accept-Encoding", "gzip").statusCode());
        }
        assertEquals(200, gateway.get("/api/v1/latest?assets=C1").statusCode());
    }

    /** All bytes of a version of the list are released with the last response that contains it. */
    @Test
    void bytesOfFormerSnapshotsAreReleased() throws IOException {
        snapshots.next();
        // Of gateways of other tests in this process, whose responses take less than a megabyte; the lists take eight.
        long others = gateway.responseBytes();
        gateway.get(ALL);
        gateway.get(ALL, "Accept-Encoding", "gzip");
        assertTrue(gateway.responseBytes() > others + 4 * MEGABYTE, "the lists are outside the heap");
        snapshots.next();
        RunningGateway.await("all is released", () -> gateway.responseBytes() < others + MEGABYTE);
        assertEquals(200, unread(ALL, "identity"));
        snapshots.next();
        assertTrue(gateway.responseBytes() > others + 4 * MEGABYTE, "it is still being sent");
        closeAll();
        RunningGateway.await("all is released", () -> gateway.responseBytes() < others + MEGABYTE);
    }

    /** Plain lists of 14 snapshots, half requests, connections that never read, and a client over its limit. */
    @Test
    void othersAreServedAmongSlowClients() throws IOException {
        for (int i = 0; i < 14; i++) {
            unread(ALL, "identity");
            snapshots.next();
        }
        for (int i = 0; i < 200; i++) {
            reader("127.1.1." + (1 + i / 50))
                    .write(ByteBuffer.wrap("GET / HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII)));
        }
        for (int i = 0; i < 32; i++) {
            SocketChannel never = reader("127.1.2.1");
            for (int k = 0; k < 20; k++) {
                never.write(request(ALL, "gzip"));
            }
        }
        int refused = 0;
        for (int i = 0; i < 32; i++) {
            SocketChannel often = reader("127.1.3.1");
            often.write(request(ALL, "gzip"));
            refused += status(often) == 429 ? 1 : 0;
        }
        assertTrue(refused > 0, "a client is over its limit");
        assertPreparedListsAreThere();
        assertBounded();
    }

    /** Takes as long to be written as a test wants. */
    private static final class HeldDecimal extends BigDecimal {
        private static final long serialVersionUID = 1;

        private final transient CountDownLatch writing = new CountDownLatch(1);
        private final transient CountDownLatch released = new CountDownLatch(1);
        private volatile boolean held;

        HeldDecimal() {
            super("1");
        }

        @Override
        public String toPlainString() {
            if (held) {
                writing.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return super.toPlainString();
        }
    }

    /** More responses than there are event loops are being rendered, none of which ends. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void renderingHoldsNoOtherResponse() throws Exception {
        var price = new HeldDecimal();
        Rate rate = Samples.rate("okx", "HELD", "HELD", System.currentTimeMillis());
        snapshots.next(ListedVenue.of("okx"), List.of(Rate.CODEC.with(rate, "mark_price", price)));
        price.held = true;
        try {
            for (int i = 1; i <= 32; i++) {
                reader("127.0.2.1").write(request("/api/v1/latest?venues=okx&fields=mark_price&limit=" + i, "gzip"));
            }
            price.writing.await();
            for (int i = 0; i < 32; i++) {
                SocketChannel other = reader("127.0.2.2");
                other.write(request("/api/v1/latest", "gzip"));
                assertEquals(200, status(other));
            }
        } finally {
            price.released.countDown();
        }
        for (SocketChannel rendered : readers.subList(0, 32)) {
            assertEquals(200, status(rendered));
        }
    }
}
