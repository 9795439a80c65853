package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index, the manifest and what every response carries. */
class SelfDescriptionTest extends SiteFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1",
                "/api/v1/latest",
                "/api/v1/venues",
                "/api/v1/latest?venues=okx,lbank",
                "/api/v1/latest?venues=foo",
                "/api/v1/latest?assets=BTC",
                "/api/v1/latest?symbols=X-USDT-SWAP",
                "/api/v1/latest?nonsense=1",
                "/nowhere",
                "/api/v1/history",
                "/api/v1/carry",
                "/api/v1/volume",
                "/manifest.json"
            })
    void everyResponseHasEnvelopeAndUnits(String address) throws IOException {
        for (SiteResponse response : List.of(
                get(address),
                responses(request("GET", address), null),
                responses(request("POST", address), snapshot()))) {
            JsonNode body = json(response);
            UnitsWalk.check(body);
        }
    }

    @Test
    void theWalkFindsANumberWithoutAUnit() throws IOException {
        JsonNode response =
                JSON.readTree("{\"meta\":{\"units\":{\"a\":\"rows\"}},\"rows\":[{\"a\":1,\"b\":[{\"c\":2}]}]}");
        assertEquals(List.of("c"), UnitsWalk.unitless(response));
    }

    @Test
    void onlyThePageMayRunAnything() {
        String policy = get("/").headers().get("Content-Security-Policy");
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self'; "), policy);
        assertFalse(policy.contains("unsafe") || policy.contains("http") || policy.contains("*"), policy);
        assertEquals(policy, get("/", get("/").headers().get("ETag")).headers().get("Content-Security-Policy"));
        for (String other : List.of("/openapi.yaml", "/api/v1", "/nowhere")) {
            assertEquals(
                    "default-src 'none'; frame-ancestors 'none'",
                    get(other).headers().get("Content-Security-Policy"),
                    other);
        }
    }

    @Test
    void everyResponseHasCommonFields() {
        for (SiteResponse response : List.of(
                get("/api/v1/latest"),
                get("/nowhere"),
                get("/api/v1/history"),
                get("/robots.txt"),
                responses(request("OPTIONS", "/api/v1/latest"), null),
                site.errors().of(500, NOW, null))) {
            assertEquals("*", response.headers().get("Access-Control-Allow-Origin"));
            assertEquals("nosniff", response.headers().get("X-Content-Type-Options"));
            assertEquals(
                    "</.well-known/api-catalog>; rel=\"api-catalog\"",
                    response.headers().get("Link"));
            assertEquals(
                    "default-src 'none'; frame-ancestors 'none'",
                    response.headers().get("Content-Security-Policy"));
            assertEquals("no-referrer", response.headers().get("Referrer-Policy"));
            assertNull(response.headers().get("Server"));
        }
    }

    @Test
    void theIndexIsComplete() throws IOException {
        JsonNode response = json("/api/v1");
        assertEquals(6, response.path("kinds").size());
        assertEquals(4, response.path("reading").size());
        assertEquals(3, response.path("differences").size());
        for (JsonNode address : response.path("addresses")) {
            int status = get(address.path("path").asText()).status();
            // No table of pairs is there yet.
            int absent = address.path("path").asText().equals("/api/v1/carry") ? 503 : 501;
            assertEquals(address.path("served").asText().equals("yes") ? 200 : absent, status, address.toString());
        }
        assertEquals(120, response.at("/limits/names_per_sweep_window").asInt());
        assertEquals(300, response.at("/limits/names_per_hour").asInt());
        response.path("links")
                .forEach(link -> assertEquals(200, get(link.asText()).status(), link.asText()));
    }

    @Test
    void theExampleListsAddressesAsTheIndexDoes() throws IOException {
        JsonNode example = Described.openapi()
                .path("paths")
                .path("/api/v1")
                .at("/get/responses/200/content/application~1json/example/addresses");
        JsonNode listed = json("/api/v1").path("addresses");
        for (String field : List.of("path", "meaning", "parameters")) {
            assertEquals(texts(listed, field), texts(example, field));
        }
    }
}
