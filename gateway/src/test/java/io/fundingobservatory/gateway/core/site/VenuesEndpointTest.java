package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The exchanges, one by one. */
class VenuesEndpointTest extends SiteFixture {
    @Test
    void anythingNotLiveWins() throws IOException {
        Map<String, VenueStatus> mixed = new HashMap<>(statuses());
        mixed.put("okx", Samples.from(mixed.get("okx"), Source.REPLAY));
        assertEquals("replay", source(mixed));
        mixed.put("lbank", Samples.from(mixed.get("lbank"), Source.SIMULATED));
        assertEquals("simulated", source(mixed));
    }

    private String source(Map<String, VenueStatus> statuses) throws IOException {
        return json(responses(request("GET", "/api/v1"), snapshot(NOW, rows(), statuses)))
                .path("meta")
                .path("source")
                .asText();
    }

    @Test
    void countsPollsAndNamesTheRequestsOfRates() throws IOException {
        Map<String, JsonNode> rows = new HashMap<>();
        JsonNode response = json(get("/api/v1/venues"));
        response.path("rows").forEach(row -> rows.put(row.path("venue").asText(), row));
        JsonNode okx = rows.get("okx");
        assertEquals(NOW - 31 * 86_400_000L, okx.path("counted_since_ms").asLong());
        assertEquals(1_453, okx.path("polls_24h").asInt(), "each minute from 14:00:20 to 14:12:20 on the next day");
        assertEquals(1, okx.path("failed_polls_24h").asInt());
        assertEquals(0, okx.path("missing_s_24h").decimalValue().signum());
        // 3,600 s of 30 days, 14 h, 13 min and 20 s
        assertEquals(new BigDecimal("0.998638"), okx.path("presence_30d").decimalValue());
        assertEquals(
                "[{\"method\":\"POST\",\"url\":\"https://okx.example/rates\",\"body\":\"{\\\"type\\\":\\\"{}\\\"}\"}]",
                okx.path("rate_requests").toString());

        JsonNode binance = rows.get("binance");
        assertEquals(1, binance.path("polls_24h").asInt());
        assertEquals(0, binance.path("failed_polls_24h").asInt());
        assertEquals(7_020, binance.path("missing_s_24h").asDouble(), "two hours less 180 s");
        assertTrue(binance.path("presence_30d").isNull(), "30 days have not been counted");
        for (String field : List.of(
                "counted_since_ms",
                "polls_24h",
                "failed_polls_24h",
                "missing_s_24h",
                "presence_30d",
                "rate_requests")) {
            assertTrue(rows.get("lbank").get(field).isNull(), field + " of a former ingest is not known");
            assertTrue(rows.get("kraken").get(field).isNull(), field + " without a reader");
            assertTrue(rows.get("apex").get(field).isNull(), field + " before the first status");
        }
    }

    @Test
    void theVenuesAreAllThereWithTheirState() throws IOException {
        JsonNode response = json(get("/api/v1/venues"));
        assertEquals(ListedVenue.ALL.size(), response.path("rows").size());
        assertEquals(3, response.path("meta").path("coverage").asInt());
        Map<String, JsonNode> rows = new HashMap<>();
        response.path("rows").forEach(row -> rows.put(row.path("venue").asText(), row));
        JsonNode okx = rows.get("okx");
        assertEquals("OKX", okx.path("name").asText());
        assertEquals("cex", okx.path("kind").asText());
        assertTrue(okx.path("default_scope").asBoolean());
        assertTrue(okx.path("in_current_observation").asBoolean());
        assertEquals(2, okx.path("symbols").asInt());
        assertEquals(NOW - 2_000, okx.path("last_observed_ms").asLong());
        assertTrue(okx.path("reason").isNull());
        assertEquals("estimate", okx.path("rate_kind").asText());
        assertEquals(
                "[{\"funding_interval_h\":4,\"symbols\":1},{\"funding_interval_h\":null,\"symbols\":1}]",
                okx.path("symbols_by_interval_h").toString());
        assertEquals("2.0", okx.path("age_p50_s").asText());
        assertEquals("180.0", okx.path("age_p95_s").asText());
        assertTrue(okx.path("settled_history").asBoolean());
        assertEquals(new BigDecimal("0.0000125"), okx.path("estimate_error_p50").decimalValue());
        assertEquals(new BigDecimal("0.00025"), okx.path("estimate_error_p95").decimalValue());
        assertEquals(90, okx.path("estimate_error_settlements").asInt());
        assertTrue(okx.path("can_be_complete").asBoolean());
        assertFalse(rows.get("lbank").path("can_be_complete").asBoolean());
        assertEquals(3, okx.path("settled_history_contracts").asInt());
        assertEquals(2, okx.path("settled_history_contracts_read").asInt());
        assertEquals(
                "1 of 3 contracts could not be read: HTTP 400",
                okx.path("history_problem").asText());
        assertTrue(okx.path("closed_until_ms").isNull());
        assertEquals(NOW + 600_000, rows.get("bybit").path("closed_until_ms").asLong());
        assertTrue(rows.get("binance").path("estimate_error_p50").isNull());
        assertTrue(rows.get("binance").path("settled_history_contracts").isNull());
        assertEquals(0, rows.get("binance").path("estimate_error_settlements").asInt());
        assertEquals("https://docs.example/okx", okx.path("docs").asText());
        assertTrue(rows.get("lbank").path("history_problem").isNull());
        assertEquals(
                "history_capped: the exchange shows the newest 100 settlements of a contract",
                rows.get("deepcoin").path("history_problem").asText());
        assertEquals(
                100, rows.get("deepcoin").path("settled_history_newest_rows").asInt(), "the newest 100 of a contract");
        assertTrue(okx.path("settled_history_newest_rows").isNull());
        assertEquals("HTTP 403", rows.get("bybit").path("reason").asText());
        assertFalse(rows.get("bybit").path("in_current_observation").asBoolean());
        assertTrue(rows.get("kraken").path("rate_kind").isNull());
        assertEquals("not read yet", rows.get("apex").path("reason").asText());
    }
}
