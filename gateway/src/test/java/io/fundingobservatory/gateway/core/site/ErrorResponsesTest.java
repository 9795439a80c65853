package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses where there is nothing to serve, or where the request is refused. */
class ErrorResponsesTest extends SiteFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/latest?venue=okx",
                "/api/v1/latest?venues=okx&venues=gate",
                "/api/v1/latest?venues=",
                "/api/v1/latest?venues=,,",
                "/api/v1/latest?venues=%zz",
                "/api/v1/latest?%3Cb%3E=1",
                "/api/v1?x=1",
                "/manifest.json?v=2",
                "/api/v1/latest?&"
            })
    void malformedParametersAreRefusedAndNotEchoed(String address) throws IOException {
        JsonNode body = json(address);
        facts(body, "/status \"unreadable\"");
        assertFalse(body.path("reason").asText().isBlank());
        assertFalse(body.toString().contains("3Cb") || body.toString().contains("%zz"), body.toString());
        if (address.contains("venue=")) {
            assertTrue(body.path("reason").asText().contains("venues, assets, symbols"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/history,501,not_yet", "/api/v1/carry,503,starting", "/api/v1/cumulative_curve,501,not_yet",
        "/api/v1/rate_history,501,not_yet", "/api/v1/volume,501,not_yet", "/api/v1/depth_profile,501,not_yet",
        "/api/v1/latest/x,404,unknown_address", "/api/v2,404,unknown_address", "/skills/../pom.xml,404,unknown_address"
    })
    void whatIsNotThereSaysSo(String address, int status, String word) throws IOException {
        SiteResponse response = get(address);
        assertEquals(status, response.status());
        assertEquals("no-store", response.headers().get("Cache-Control"));
        JsonNode body = json(response);
        String text = new String(bytes(response), StandardCharsets.UTF_8);
        assertTrue(text.matches("\\{\"status\":\"" + word + "\",\"reason\":\"[^\"]+\".*"), text);
        assertTrue(texts(body.path("addresses")).contains("/api/v1/latest"));
        assertTrue(body.path("rows").isMissingNode());
        for (String works : texts(body.path("addresses"))) {
            assertEquals(200, get(works).status(), works);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1", "/api/v1/latest", "/api/v1/venues"})
    void dataEndpointsReportStartingBeforeFirstSnapshot(String address) throws IOException {
        SiteResponse response = responses(request("GET", address), null);
        assertEquals(503, response.status());
        JsonNode body = json(response);
        assertEquals("starting", body.path("status").asText());
        assertEquals(
                response.headers().get("Retry-After"),
                body.path("retry_after_s").asText());
        assertTrue(body.path("meta").path("source").isNull());
        JsonNode unknown = body.at("/meta/missing/values/1");
        assertEquals("meta.source, meta.coverage", unknown.path("field").asText());
        assertEquals("this gateway has no snapshot yet", unknown.path("reason").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"})
    void otherMethodsAreRefused(String method) throws IOException {
        SiteResponse response = responses(request(method, "/api/v1/latest"), snapshot());
        assertEquals(405, response.status());
        assertEquals("GET, HEAD, OPTIONS", response.headers().get("Allow"));
        assertEquals("read_only", json(response).path("status").asText());
    }

    @Test
    void errorIsShortAndListsObservationAsMissing() throws IOException {
        for (SiteResponse response : List.of(
                get("/nowhere"),
                get("/api/v1/history"),
                get("/api/v1/latest?x=1"),
                site.errors().of(500, NOW, snapshot()),
                responses(request("GET", "/api/v1/latest"), null))) {
            JsonNode missing = json(response).path("meta").path("missing");
            assertTrue(bytes(response).length < 2_000, bytes(response).length + " bytes");
            assertEquals(
                    0, missing.path("venues").size() + missing.path("symbols").size());
            assertEquals("rows, meta.missing", missing.at("/values/0/field").asText());
            assertEquals("no-store", response.headers().get("Cache-Control"));
            assertNull(response.headers().get("ETag"));
        }
        JsonNode index = json("/api/v1").path("meta").path("missing");
        assertTrue(texts(index.path("venues"), "venue").contains("bybit"));
        assertEquals(List.of("meta.missing.symbols"), texts(index.path("values"), "field"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "coin     | the parameter coin   | '; did you mean assets?'",
                "ASSETS   | the parameter ASSETS | '; did you mean assets?'",
                "Coin     | the parameter Coin   | '; did you mean assets?'",
                "%3Cb%3E  | a parameter          | ''"
            })
    void namesUnknownParameterIfItIsWord(String parameter, String named, String meant) throws IOException {
        assertEquals(
                named
                        + " is not known here; the known ones are venues, assets, symbols, asset_class, min_abs_funding_rate_8h, settles_before_ms, fields, order, limit, layout, numbers, missing, since"
                        + meant,
                json("/api/v1/latest?" + parameter + "=BTC").path("reason").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"BTC%", "BTC%2", "%zzBTC"})
    void aLonePercentSignIsNamed(String value) throws IOException {
        facts(json("/api/v1/latest?assets=" + value), """
                /status "unreadable"
                /reason "the parameter assets has a percent sign that two hexadecimal digits do not follow; write %25 for a percent sign"
                """);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/latest, /api/v1/latest",
        "/v1/latest, /api/v1/latest",
        "/api/v2/latest, /api/v1/latest",
        "/latest, /api/v1/latest",
        "/api/v1/Latest, /api/v1/latest",
        "/api/v1/latest.json, /api/v1/latest",
        "/api/v1/funding-rates, /api/v1/latest",
        "/api/v2, /api/v1",
        "/api, /api/v1",
        "/api/v1/exchanges, /api/v1/venues",
        "/api/v1/Venues/, /api/v1/venues",
        "/openapi.json, /openapi.yaml"
    })
    void suggestsEndpointForNearMiss(String path, String meant) throws IOException {
        facts(json(path), """
                /status "unknown_address"
                /reason "nothing is served at this address; did you mean %1$s?"
                /use_instead "%1$s"
                /addresses/0 "%1$s"
                """.formatted(meant));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere", "/api/v1/nowhere", "/wp-admin/", "/api/v1/latest/BTC", "/favicon.ico"})
    void suggestsNothingForDistantPath(String path) throws IOException {
        assertFalse(json(get(path)).has("use_instead"));
    }

    @Test
    void oneRequestMayNameFifty() throws IOException {
        String fifty = Stream.iterate(0, i -> i + 1).limit(50).map(i -> "N" + i).collect(Collectors.joining(","));
        assertEquals(200, get("/api/v1/latest?assets=" + fifty).status());
        SiteResponse response = get("/api/v1/latest?assets=" + fifty + "&symbols=X");
        assertEquals(400, response.status());
        String reason = json(response).path("reason").asText();
        assertTrue(
                reason.contains("at most 50") && reason.endsWith("fetch the whole list for more and filter it locally"),
                reason);
    }

    private static Refusal sweep(String... recent) {
        return new Refusal(Refusal.Cause.SWEEP, 60, List.of(recent));
    }

    @Test
    void useInsteadJoinsRefusedAndRecentNames() throws IOException {
        assertEquals(
                "/api/v1/latest?assets=A,CELO,ENS",
                instead(sweep("assets=CELO", "assets=A", "symbols=X", "assets=ENS"), "/api/v1/latest?assets=a"));
        assertEquals(
                "/api/v1/latest?symbols=A%2FB,X&venues=lbank,okx",
                instead(sweep("symbols=X", "assets=Y"), "/api/v1/latest?venues=okx,lbank,foo&symbols=A%2fB"));
        assertEquals(
                "/api/v1/latest?assets=A&venues=all", instead(sweep(), "/api/v1/latest?venues=all&assets=A,%3Cb%3E"));
        String[] many = IntStream.range(0, 60).mapToObj(i -> "assets=N" + i).toArray(String[]::new);
        assertEquals(50, instead(sweep(many), "/api/v1/latest?assets=A").split(",").length);
        assertEquals(
                "/api/v1/carry?assets=BTC",
                instead(new Refusal(Refusal.Cause.VOLUME, 3, List.of()), "/api/v1/carry?assets=BTC"));
    }

    @Test
    void useInsteadIsWholeListWithoutNames() throws IOException {
        var volume = new Refusal(Refusal.Cause.VOLUME, 3, List.of("assets=A"));
        var names = new Refusal(Refusal.Cause.NAMES, 3, List.of("assets=A"));
        assertEquals("/api/v1/latest", instead(volume, "/api/v1/latest"));
        assertEquals("/api/v1/latest", instead(volume, "/api/v1/carry"));
        assertEquals("/api/v1/latest", instead(names, "/api/v1/latest?assets=A"));
        assertEquals("/api/v1/latest?venues=okx", instead(names, "/api/v1/latest?assets=A&venues=okx"));
    }

    /** 40 names of which 70 % once, 300 an hour whatever the share; 120 in ten minutes keeps a hundredth of the list to itself. */
    @Test
    void refusalsAreShortAndStateTheirBounds() throws IOException {
        assertEquals(
                "Refused: 40 or more different names in 10 minutes, each in a request of its own and most requested only once."
                        + " Available now: use_instead, up to 50 names in one request, and names you already requested.",
                reason(new Refusal(Refusal.Cause.SWEEP, 60, List.of())));
        assertEquals(
                "Refused: more than 120 different names in 10 minutes, or 300 in an hour. Available now: names you already"
                        + " requested, and the whole list.",
                reason(new Refusal(Refusal.Cause.NAMES, 60, List.of())));
        assertEquals(
                "Rate limit: 120 points a minute, 120 at once. Retry after 3 s. The whole list costs 6 points; up to ten names,"
                        + " and a list that If-None-Match finds unchanged, cost 1.",
                reason(new Refusal(Refusal.Cause.VOLUME, 3, List.of())));
    }

    private String reason(Refusal refused) throws IOException {
        return json(site.errors().refused(refused, request("GET", "/api/v1/latest"), snapshot()))
                .path("reason")
                .asText();
    }

    private String instead(Refusal refused, String address) throws IOException {
        SiteResponse response = site.errors().refused(refused, request("GET", address), snapshot());
        Described.check("GET", "/api/v1/latest", response);
        assertEquals(Integer.toString(refused.retryAfterS()), response.headers().get("Retry-After"));
        return json(response).path("use_instead").asText();
    }
}
