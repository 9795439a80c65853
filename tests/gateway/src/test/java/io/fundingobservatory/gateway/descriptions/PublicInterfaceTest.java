package io.fundingobservatory.gateway.descriptions;

import static io.fundingobservatory.gateway.fixture.Responses.header;
import static io.fundingobservatory.gateway.fixture.Responses.json;
import static io.fundingobservatory.gateway.fixture.Responses.unpacked;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.PageFiles;
import io.fundingobservatory.gateway.core.site.Described;
import io.fundingobservatory.gateway.core.site.Routed;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteRequest;
import io.fundingobservatory.gateway.core.site.UnitsWalk;
import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.gateway.traffic.StandardLimits;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses of the public port once there is a snapshot, over real HTTP. The tests' own requests are not limited; those about limits name their client. */
class PublicInterfaceTest {
    private final RunningGateway gateway = RunningGateway.serving(40);

    @Test
    void securityTxtNamesOperatorForAYear() {
        Map<String, String> fields = new String(
                        gateway.get("/.well-known/security.txt").body(), StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.split(": ", 2))
                .collect(Collectors.toMap(field -> field[0], field -> field[1]));
        assertEquals(Set.of("Contact", "Expires"), fields.keySet());
        assertEquals("mailto:security@example.org", fields.get("Contact"));
        Duration left = Duration.between(Instant.now(), Instant.parse(fields.get("Expires")));
        assertTrue(left.toDays() > 300 && left.toDays() < 365, left.toString());
    }

    /** Every address that the description spells out, and every file of the manifest. */
    static List<String> endpoints() {
        var endpoints = new TreeSet<String>();
        Described.openapi().path("paths").fieldNames().forEachRemaining(path -> {
            if (!path.contains("{")) {
                endpoints.add(path);
            }
        });
        var site = new Site(PageFiles.load(), 0, StandardLimits.STANDARD, () -> "");
        var request = SiteRequest.of("GET", "/manifest.json", List.of(), null, List.of(), 0);
        byte[] manifest = Routed.pieces(Routed.response(site, request, null)).getFirst();
        endpoints.addAll(Responses.tree(manifest).path("files").findValuesAsText("path"));
        return List.copyOf(endpoints);
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    void describedEndpointTakesGetHeadAndOptions(String endpoint) {
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH")) {
            assertEquals(405, gateway.call(method, endpoint).statusCode(), method);
        }
        HttpResponse<byte[]> whole = gateway.get(endpoint);
        boolean served = !List.of(501, 503).contains(whole.statusCode());
        assertEquals(served ? 200 : whole.statusCode(), whole.statusCode());
        HttpResponse<byte[]> head = gateway.call("HEAD", endpoint);
        assertEquals(whole.statusCode(), head.statusCode());
        assertEquals(0, head.body().length);
        for (String same : List.of("Content-Type", "Content-Length", "ETag")) {
            assertEquals(header(whole, same), header(head, same), same);
        }
        assertEquals(withoutSeconds(whole), withoutSeconds(head));
        for (String until : List.of("max-age", "stale-if-error")) {
            assertTrue(seconds(until, head) <= seconds(until, whole), until + " ends at a time, which comes nearer");
        }
        HttpResponse<byte[]> preflight = gateway.call(
                "OPTIONS",
                endpoint,
                "Origin",
                "https://a.example",
                "Access-Control-Request-Method",
                "GET",
                "Access-Control-Request-Headers",
                "if-none-match, x-anything");
        assertEquals(204, preflight.statusCode());
        assertEquals("GET, HEAD, OPTIONS", header(preflight, "Access-Control-Allow-Methods"));
        assertTrue(header(preflight, "Access-Control-Allow-Headers").contains("*"));
        // How long it holds is said by a field of its own (Fetch); responses to OPTIONS are not cached (RFC 9110
        // §9.3.7).
        assertEquals("86400", header(preflight, "Access-Control-Max-Age"));
        assertEquals("", header(preflight, "Cache-Control"));
        assertEquals(0, preflight.body().length);
    }

    private static String withoutSeconds(HttpResponse<byte[]> response) {
        return header(response, "Cache-Control").replaceAll("(max-age|stale-if-error)=[0-9]+", "$1");
    }

    /** How long a response may be kept, s; 0 where nothing is said of it. */
    private static long seconds(String directive, HttpResponse<byte[]> response) {
        String age = header(response, "Cache-Control").replaceAll(".*" + directive + "=([0-9]+).*|.*", "$1");
        return age.isEmpty() ? 0 : Long.parseLong(age);
    }

    /** Files shorter than 512 bytes are not packed. */
    @ParameterizedTest
    @MethodSource("endpoints")
    void fileHasGzipAndUnchangedIs304(String endpoint) {
        if (endpoint.startsWith("/api/")) {
            return;
        }
        byte[] whole = gateway.get(endpoint).body();
        for (String coding : List.of("", "gzip")) {
            HttpResponse<byte[]> packed = gateway.get(endpoint, "Accept-Encoding", coding);
            assertEquals(whole.length < 512 ? "" : coding, header(packed, "Content-Encoding"));
            assertArrayEquals(whole, unpacked(packed));
            HttpResponse<byte[]> head = gateway.call("HEAD", endpoint, "Accept-Encoding", coding);
            HttpResponse<byte[]> same =
                    gateway.get(endpoint, "Accept-Encoding", coding, "If-None-Match", header(packed, "ETag"));
            assertEquals(304, same.statusCode());
            assertEquals(0, same.body().length);
            assertEquals("", header(same, "Content-Type"));
            for (String kept : List.of("ETag", "Vary", "Cache-Control", "Last-Modified", "Content-Security-Policy")) {
                assertEquals(header(packed, kept), header(same, kept), kept);
                assertEquals(header(packed, kept), header(head, kept), kept);
            }
            assertEquals(header(packed, "Content-Length"), header(head, "Content-Length"));
            assertEquals(header(packed, "Content-Encoding"), header(head, "Content-Encoding"));
        }
    }

    /** A date in each of the three forms that a server has to read. A date in another form is ignored. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Thu, 01 Jan 2099 00:00:00 GMT | 304",
                "Thursday, 01-Jan-60 00:00:00 GMT | 304",
                "Thu Jan  1 00:00:00 2099 | 304",
                "Sat, 01 Jan 2000 00:00:00 GMT | 200",
                "Saturday, 01-Jan-00 00:00:00 GMT | 200",
                "Sat Jan  1 00:00:00 2000 | 200",
                "tomorrow | 200",
                "Thu, 01 Jan 2099 00:00:00 GMT, and so on for more than sixty-four characters | 200",
                "0 | 200"
            })
    void datesAreReadInEveryForm(String date, int status) {
        for (String endpoint : List.of("/api/v1/venues", "/robots.txt")) {
            assertEquals(
                    status, gateway.get(endpoint, "If-Modified-Since", date).statusCode(), endpoint);
        }
    }

    @Test
    void managementIsOnItsOwnPortOnly() {
        for (String managed : List.of("/health", "/prometheus")) {
            assertEquals(404, gateway.get(managed).statusCode(), managed);
        }
        assertEquals(200, gateway.managed("/health"));
        assertEquals(200, gateway.managed("/prometheus"));
        assertEquals(404, gateway.managed("/api/v1/latest"));
    }

    @Test
    void aListIsJsonWhateverIsAccepted() {
        HttpResponse<byte[]> response = gateway.get("/api/v1/latest?assets=C1", "Accept", "text/csv");
        assertEquals(200, response.statusCode());
        assertTrue(header(response, "Content-Type").startsWith("application/json"));
    }

    private HttpResponse<byte[]> from(String client, String endpoint) {
        return gateway.get(endpoint, "X-Forwarded-For", client);
    }

    /** Forty different names within ten minutes, each looked at once: the fortieth is refused, the whole list never is. */
    @Test
    void refusesSweepButNotWholeSnapshot() {
        // The entry on the left is what the client wrote itself.
        String client = "198.51.100.9, 203.0.113.7";
        for (int i = 0; i < 39; i++) {
            assertEquals(200, from(client, "/api/v1/latest?assets=C" + i).statusCode(), "name " + i);
        }
        HttpResponse<byte[]> refused = from(client, "/api/v1/latest?assets=C39");
        assertEquals(429, refused.statusCode());
        int waitS = Integer.parseInt(header(refused, "Retry-After"));
        assertTrue(waitS > 500 && waitS <= 601, waitS + " s: when the first name leaves the window");
        assertEquals("no-store", header(refused, "Cache-Control"));
        JsonNode body = json(refused);
        UnitsWalk.check(body);
        assertEquals("refused", body.path("status").asText());
        assertEquals(waitS, body.path("retry_after_s").asInt());
        String instead = body.path("use_instead").asText();
        assertTrue(instead.startsWith("/api/v1/latest?assets=C39,"), instead);
        assertEquals(40, instead.split(",").length, instead);
        assertFalse(body.path("reason").asText().isBlank());
        assertTrue(body.path("addresses").size() > 3);
        JsonNode joined = json(from(client, instead)).path("rows");
        assertEquals(40 * 24, joined.size(), "at once: all coins that were refused or recent, at 24 exchanges");
        assertEquals(200, from("203.0.113.7", "/api/v1/latest").statusCode());
        assertEquals(200, from("203.0.113.7", "/api/v1/latest?assets=C0").statusCode(), "seen before");
        assertEquals(200, from("203.0.113.7", "/api/v1/latest?assets=C38,C39").statusCode(), "two in one request");
        assertEquals(200, from("203.0.113.8", "/api/v1/latest?assets=C39").statusCode(), "another client");
    }

    /** 60 points at once are ten lists of 6, and two points a second come back meanwhile. */
    @Test
    void anotherForwardingHeaderBuysNoLists() {
        double before = gateway.refused("volume");
        int lists = 0;
        while (lists < 30
                && gateway.get("/api/v1/latest", "X-Forwarded-For", "2001:db8::1", "Forwarded", "for=192.0.2." + lists)
                                .statusCode()
                        == 200) {
            lists++;
        }
        assertTrue(lists >= 20 && lists <= 24, lists + " lists");
        assertEquals(before + 1, gateway.refused("volume"));
    }
}
