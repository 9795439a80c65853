package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fundingobservatory.ingest.client.FetchResult.NoResponse;
import io.fundingobservatory.ingest.client.FetchResult.Received;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.TestVenue;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exchanges' client as the application has it: its trust store, its proxy and its header fields. */
class TlsAndProxyTest {
    private static final String PASSWORD = "changeit";

    private static Venue venue(String host) {
        return new TestVenue(TestVenue.sheet()
                .limit(host, 100, 1)
                .request(Request.get("rates", "https://" + host + "/v1/rates"))
                .build());
    }

    private static FetchResult fetch(ApplicationContext context, String host, int port) throws InterruptedException {
        Venue venue = venue(host);
        String url = "https://" + host + (port == 443 ? "" : ":" + port) + "/v1/rates";
        return VenueHttpClient.live(context.getBean(HttpTransport.class), InstantSource.system())
                .fetch(venue, VenueRequest.of(Request.get("rates", url), "", ""));
    }

    private ApplicationContext application(Map<String, Object> exchange) {
        var settings = new HashMap<String, Object>();
        exchange.forEach((key, value) -> settings.put("micronaut.http.services.exchange." + key, value));
        settings.put("observatory.ingest.contact", "https://example.org/about");
        return ApplicationContext.run(settings);
    }

    /** A certificate for a host. */
    private static CertificateBuilder certificate(String host) {
        return new CertificateBuilder().subject("CN=" + host).addSanDnsName(host);
    }

    private static HttpsServer server(X509Bundle served) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(served.toKeyManagerFactory().getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", http -> {
            byte[] body = ("[{\"agent\":\"" + http.getRequestHeaders().getFirst("User-Agent") + "\"}]")
                    .getBytes(StandardCharsets.UTF_8);
            http.getResponseHeaders().add("Content-Type", "application/json");
            http.sendResponseHeaders(200, body.length);
            try (http) {
                http.getResponseBody().write(body);
            }
        });
        server.start();
        return server;
    }

    @Test
    void acceptsOnlyTrustedValidCertificateForName() throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .subject("CN=ca")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Path trusted = authority.toTempKeyStoreFile(PASSWORD.toCharArray()).toPath();
        X509Bundle right = certificate("localhost").buildIssuedBy(authority);
        X509Bundle wrongName = certificate("elsewhere.example").buildIssuedBy(authority);
        Instant now = Instant.now();
        X509Bundle expired = certificate("localhost")
                .notBefore(now.minus(Duration.ofDays(30)))
                .notAfter(now.minus(Duration.ofDays(20)))
                .buildIssuedBy(authority);
        try (ApplicationContext trustsIt = application(Map.of(
                        "ssl.enabled",
                        true,
                        "ssl.trust-store.path",
                        "file:" + trusted,
                        "ssl.trust-store.password",
                        PASSWORD,
                        "ssl.trust-store.type",
                        "PKCS12"));
                ApplicationContext trustsTheUsual = application(Map.of())) {
            for (X509Bundle served : List.of(right, wrongName, expired)) {
                HttpsServer server = server(served);
                try {
                    int port = server.getAddress().getPort();
                    assertUntrusted(fetch(trustsTheUsual, "localhost", port));
                    FetchResult fetched = fetch(trustsIt, "localhost", port);
                    if (served == right) {
                        var received = assertInstanceOf(Received.class, fetched, fetched::toString);
                        String agent = received.body().at(0).text("agent");
                        assertTrue(agent.startsWith("funding-observatory/1.0 ("), agent);
                        assertTrue(agent.endsWith("; +https://example.org/about)"), agent);
                    } else {
                        assertUntrusted(fetched);
                    }
                } finally {
                    server.stop(0);
                }
            }
            MeterRegistry meters = trustsIt.getBean(MeterRegistry.class);
            for (var counted : Map.of("200", 1L, "none", 2L).entrySet()) {
                assertEquals(
                        counted.getValue(),
                        meters.get("observatory.ingest.http.requests")
                                .tags("host", "localhost", "status", counted.getKey())
                                .timer()
                                .count());
            }
        }
    }

    private static void assertUntrusted(FetchResult fetched) {
        assertEquals(
                "no trusted connection to localhost",
                assertInstanceOf(NoResponse.class, fetched, fetched::toString).reason());
    }

    /** A proxy that records the requested hosts and refuses. */
    private static ServerSocket proxy(List<String> requested) throws IOException {
        var listening = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!listening.isClosed()) {
                try (Socket socket = listening.accept()) {
                    var head = new StringBuilder();
                    while (head.indexOf("\r\n\r\n") < 0) {
                        int next = socket.getInputStream().read();
                        if (next < 0) {
                            break;
                        }
                        head.append((char) next);
                    }
                    requested.add(head.toString().lines().findFirst().orElse(""));
                    socket.getOutputStream()
                            .write("HTTP/1.1 403 Forbidden\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    return;
                }
            }
        });
        return listening;
    }

    /** A proxy of the settings, or of the JVM. The name exists nowhere: only the proxy could know it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void proxyGetsTheName(boolean isConfigured) throws Exception {
        var requested = new CopyOnWriteArrayList<String>();
        try (ServerSocket proxy = proxy(requested)) {
            String port = Integer.toString(proxy.getLocalPort());
            if (!isConfigured) {
                System.setProperty("https.proxyHost", "127.0.0.1");
                System.setProperty("https.proxyPort", port);
            }
            try (ApplicationContext context = application(
                    isConfigured ? Map.of("proxy-type", "http", "proxy-address", "127.0.0.1:" + port) : Map.of())) {
                assertInstanceOf(NoResponse.class, fetch(context, "api.exchange.invalid", 443));
                assertEquals(List.of("CONNECT api.exchange.invalid:443 HTTP/1.1"), requested);
            } finally {
                System.clearProperty("https.proxyHost");
                System.clearProperty("https.proxyPort");
            }
        }
    }

    @Test
    void unknownHostNameIsAReason() throws Exception {
        try (ApplicationContext context = application(Map.of())) {
            String reason = assertInstanceOf(NoResponse.class, fetch(context, "api.exchange.invalid", 443))
                    .reason();
            // The machine's resolver responds, or takes longer than 3 s.
            assertTrue(reason.matches("(unknown host|no address for) api\\.exchange\\.invalid( within 3 s)?"), reason);
        }
    }
}
