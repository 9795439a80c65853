package io.fundingobservatory.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.ListedVenue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** nginx's cache: two addresses never share an entry, whatever an attacker writes into one of them. */
class CacheKeyTest {
    private static final int ALL = 3 * ListedVenue.ALL.size();

    private final RunningGateway gateway = RunningGateway.serving(3);

    private Nginx nginx;
    private ProxyClient client;

    @BeforeEach
    void start(@TempDir Path dir) throws IOException {
        nginx = Nginx.before(dir, gateway.port());
        client = ProxyClient.plain(nginx);
    }

    @AfterEach
    void stop() {
        if (nginx != null) {
            client.close();
            nginx.close();
        }
    }

    @Test
    void attackerFirstLeavesListOfOthers() {
        assertEquals(
                0, client.list("/api/v1/latest?venues=allgzip").path("rows").size());
        assertEquals(ALL, gzip("/api/v1/latest?venues=all"));
        assertEquals(0, client.list("/api/v1/latest?assets=C1gzip").path("rows").size());
        assertNotEquals(0, gzip("/api/v1/latest?assets=C1"));
    }

    @Test
    void attackerSecondGetsOwnList() {
        assertEquals(ALL, gzip("/api/v1/latest?venues=all"));
        assertEquals(
                0, client.list("/api/v1/latest?venues=allgzip").path("rows").size());
        assertEquals(ALL, gzip("/api/v1/latest?venues=all"));
    }

    /** A second request comes from the cache; without a coding there is another entry. */
    @Test
    void entryHasCodingAndAddress() {
        client.get("/api/v1/latest", "Accept-Encoding", "gzip");
        var again = client.get("/api/v1/latest", "Accept-Encoding", "br, gzip;q=0.5");
        assertNotEquals("MISS", Responses.header(again, "X-Cache-Status"));
        assertEquals("gzip", Responses.header(again, "Content-Encoding"));
        var plain = client.get("/api/v1/latest");
        assertEquals("MISS", Responses.header(plain, "X-Cache-Status"));
        assertEquals("", Responses.header(plain, "Content-Encoding"));
    }

    /** nginx requests gzip for every client that accepts it, however it is spelled, and for no other. */
    @Test
    void gzipIsForClientsThatAcceptIt() {
        for (String accepted : List.of(
                "gzip, deflate, br, zstd",
                "zstd, br, gZip",
                "GZIP ; Q=0.001",
                "x-gzip",
                "br;q=1.0, gzip;q=0.8, *;q=0",
                "zstd;q=0,gzip;q=1.000")) {
            assertEquals("gzip", coding(accepted), accepted);
        }
        for (String accepted : List.of(
                "gzip;q=0",
                "GZip;Q=0.000",
                "gzip;q=0, zstd",
                "zstd;q=0.0, gzip;q=0",
                "gzip;q=0;x=1",
                "*",
                "*;q=0",
                "gzip;q=0, *",
                "br",
                "identity",
                "notgzip, gzipped",
                "")) {
            assertEquals("", coding(accepted), accepted);
        }
    }

    private String coding(String accepted) {
        return Responses.header(client.get("/api/v1/latest", "Accept-Encoding", accepted), "Content-Encoding");
    }

    /** A client gets the last response at once, while nginx fetches the next. */
    @Test
    void expiredEntryIsFetchedBehindTheScenes() {
        client.get("/api/v1/venues");
        Await.until("the entry has expired and is served once more", () -> {
            var response = client.get("/api/v1/venues");
            assertEquals(200, response.statusCode());
            return Responses.header(response, "X-Cache-Status").equals("STALE");
        });
        Await.until(
                "the next one is there",
                () -> Responses.header(client.get("/api/v1/venues"), "X-Cache-Status")
                        .equals("HIT"));
    }

    private int gzip(String address) {
        return client.list(address, "Accept-Encoding", "gzip").path("rows").size();
    }
}
