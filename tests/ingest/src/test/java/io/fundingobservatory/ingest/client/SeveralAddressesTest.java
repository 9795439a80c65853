package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.Await;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hosts with several addresses of which only one responds. */
class SeveralAddressesTest {
    private final AtomicInteger requested = new AtomicInteger();
    private HttpServer server;
    private ApplicationContext context;

    @BeforeEach
    void start() throws IOException {
        // on 127.0.0.1 alone: nobody listens on 127.0.0.2, 127.0.0.3 and ::1
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 8);
        server.createContext("/", http -> {
            requested.incrementAndGet();
            byte[] body = "[]".getBytes(StandardCharsets.UTF_8);
            http.sendResponseHeaders(200, body.length);
            try (http) {
                http.getResponseBody().write(body);
            }
        });
        server.start();
        context = ApplicationContext.run();
    }

    @AfterEach
    void stop() {
        context.close();
        server.stop(0);
    }

    private FetchResult fetch(String host) throws InterruptedException {
        var venue = Objects.requireNonNull(Registry.find("binance"));
        return VenueHttpClient.inPlaceOfThem(
                        context.getBean(HttpTransport.class),
                        "http://" + host + ":" + server.getAddress().getPort(),
                        InstantSource.system())
                .fetch(venue, VenueRequest.of(venue.spec().requests().getFirst(), "", ""));
    }

    @Test
    void triesNextAddressAtOnceAndPrefersIt() throws Exception {
        TestNames.set("three.addresses.test", "127.0.0.2", "127.0.0.3", "127.0.0.1");
        for (int i = 1; i <= 5; i++) {
            assertInstanceOf(FetchResult.Received.class, fetch("three.addresses.test"));
            assertEquals(i, requested.get());
        }
        assertEquals(2, context.getBean(HostAddresses.class).failures("three.addresses.test"), "each dead one once");
    }

    @Test
    void brokenIpv6LosesNoResponse() throws Exception {
        TestNames.set("both.addresses.test", "::1", "127.0.0.1");
        assertInstanceOf(FetchResult.Received.class, fetch("both.addresses.test"));
    }

    @Test
    void namesReasonWhenNoAddressResponds() throws Exception {
        TestNames.set("dead.addresses.test", "127.0.0.2", "::1");
        var failed = assertInstanceOf(FetchResult.NoResponse.class, fetch("dead.addresses.test"));
        assertEquals("no connection to dead.addresses.test", failed.reason().replace("route", "connection"));
        assertEquals(0, requested.get());
    }

    /** The exchanges have some 60 hosts; name servers that hang must not take a thread for each try. */
    @Test
    void hangingNameServersUseBoundedThreads() throws Exception {
        var responded = new CountDownLatch(1);
        String hanging = TestNames.hang(responded);
        try (var fetching = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<FetchResult>> fetches = IntStream.range(0, 100)
                    .mapToObj(i -> fetching.submit(() -> fetch("exchange-" + i + hanging)))
                    .toList();
            for (Future<FetchResult> one : fetches) {
                var failed = assertInstanceOf(FetchResult.NoResponse.class, one.get(5, TimeUnit.MINUTES));
                assertTrue(failed.reason().startsWith("no address for exchange-"), failed.reason());
            }
            long taken = hangingLookups();
            assertTrue(taken > 0 && taken <= 64, taken + " threads wait for name servers");
        } finally {
            responded.countDown();
        }
        Await.until("the hanging ones are given up", () -> fetch("127.0.0.1") instanceof FetchResult.Received);
    }

    /**
     * Returns the number of threads that wait for a response that does not come. Services of other tests may
     * look up names at the same time.
     */
    private static long hangingLookups() {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack ->
                        Stream.of(stack).anyMatch(at -> at.getMethodName().equals("awaitHanging")))
                .count();
    }
}
