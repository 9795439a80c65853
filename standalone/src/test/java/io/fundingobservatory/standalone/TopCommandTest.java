package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.standalone.top.AuthoredService;
import io.fundingobservatory.standalone.top.AuthoredService.Response;
import io.fundingobservatory.testbed.ClosedPort;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code observatory top} into a pipe, against a real HTTP server with authored responses. */
class TopCommandTest {
    @Test
    void requestsAllAssetsAtOnce() throws IOException {
        try (AuthoredService service = AuthoredService.whole()) {
            Ran ran = Ran.observatory("top", "--url", service.base() + "/", "BTC", "ETH/X", "--pairs", "5");
            assertEquals(0, ran.exit(), ran.err());
            assertEquals(
                    List.of(
                            "/api/v1/venues",
                            "/api/v1/carry?limit=5&venues=all",
                            "/api/v1/latest?assets=BTC,ETH%2FX&venues=all"),
                    service.requests());
            assertTrue(ran.out().startsWith("Funding Observatory 9.8.7 at " + service.base()), ran.out());
            assertTrue(ran.out().contains("0.000100000000000001"), ran.out());
            assertTrue(ran.out().chars().noneMatch(c -> c == '\u001b'), "no escape into a pipe");
        }
    }

    @Test
    void baseUrlMayHavePath() throws IOException {
        try (var service = new AuthoredService()) {
            service.respond("/rates/api/v1/venues", Response.ok(AuthoredService.VENUES));
            service.respond("/rates/api/v1/carry", Response.ok(AuthoredService.PAIRS));
            Ran ran = Ran.observatory("top", "--url", service.base().getAuthority() + "/rates");
            assertEquals(0, ran.exit(), ran.err());
            assertTrue(ran.out().contains("PAIRS, 30 days to 11-20 14:00Z"), ran.out());
        }
    }

    @Test
    void unreachableServiceIsOneLineAndExitCode() throws IOException {
        try (AuthoredService service = AuthoredService.whole()) {
            service.respond(
                    "/api/v1/carry",
                    new Response(503, Map.of("Retry-After", "5"), "{\"status\":\"starting\",\"reason\":\"not yet\"}"));
            Ran ran = Ran.observatory("top", "--url", service.base().toString());
            assertEquals(1, ran.exit());
            assertEquals(
                    "observatory: " + service.base() + ": 503 starting: not yet; next request in 5 s",
                    ran.err().strip());
            assertTrue(ran.out().contains("gate "), "what is known is shown: " + ran.out());
        }
        try (var closed = new ClosedPort()) {
            Ran unreachable = Ran.observatory("top", "--url", closed.address());
            assertEquals(1, unreachable.exit());
            assertTrue(
                    unreachable.err().startsWith("observatory: http://" + closed.address() + ": nothing responds"),
                    unreachable.err());
            assertEquals(1, unreachable.err().strip().lines().count());
        }
    }

    @Test
    void venuesWithoutKnownKeysAreNotPolled() throws IOException {
        try (AuthoredService service = AuthoredService.whole()) {
            String[] many = Stream.concat(
                            Stream.of("top", "--url", service.base().toString()),
                            IntStream.rangeClosed(1, 51).mapToObj(i -> "A" + i))
                    .toArray(String[]::new);
            assertEquals(1, Ran.observatory(many).exit());
            assertEquals(1, Ran.observatory("top", "--every", "1").exit());
            assertEquals(2, Ran.observatory("top", "--url", "ftp://localhost").exit());
            assertEquals(
                    2, Ran.observatory("top", "--url", "http://localhost/?a=b").exit());
            assertEquals(List.of(), service.requests());
        }
    }
}
