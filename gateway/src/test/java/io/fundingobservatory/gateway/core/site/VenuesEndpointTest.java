package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
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
                .at("/meta/source")
                .asText();
    }

    @Test
    void countsPollsAndNamesTheRequestsOfRates() throws IOException {
        JsonNode response = json("/api/v1/venues");
        // Each minute from 14:00:20 to 14:12:20 on the next day; less 3,600 s of 30 days, 14 h, 13 min and 20 s.
        facts(row(response, "okx"), """
                /counted_since_ms 1787321600000
                /polls_24h 1453
                /failed_polls_24h 1
                /missing_s_24h 0.000
                /presence_30d 0.998638
                /rate_requests [{"method":"POST","url":"https://okx.example/rates","body":"{\\"type\\":\\"{}\\"}"}]
                """);
        // Two hours less 180 s; 30 days have not been counted.
        facts(row(response, "binance"), """
                /polls_24h 1
                /failed_polls_24h 0
                /missing_s_24h 7020.000
                /presence_30d null
                """);
        for (String field : List.of(
                "counted_since_ms",
                "polls_24h",
                "failed_polls_24h",
                "missing_s_24h",
                "presence_30d",
                "rate_requests")) {
            assertTrue(row(response, "lbank").get(field).isNull(), field + " of a former ingest is not known");
            assertTrue(row(response, "kraken").get(field).isNull(), field + " without a reader");
            assertTrue(row(response, "apex").get(field).isNull(), field + " before the first status");
        }
    }

    @Test
    void theVenuesAreAllThereWithTheirState() throws IOException {
        JsonNode response = json("/api/v1/venues");
        assertEquals(ListedVenue.ALL.size(), response.path("rows").size());
        facts(response, "/meta/coverage 3");
        facts(row(response, "okx"), """
                /name "OKX"
                /kind "cex"
                /default_scope true
                /in_current_observation true
                /symbols 2
                /last_observed_ms 1789999998000
                /reason null
                /rate_kind "estimate"
                /symbols_by_interval_h [{"funding_interval_h":4,"symbols":1},{"funding_interval_h":null,"symbols":1}]
                /age_p50_s 2.000
                /age_p95_s 180.000
                /settled_history true
                /estimate_error_p50 0.0000125
                /estimate_error_p95 0.00025
                /estimate_error_settlements 90
                /can_be_complete true
                /settled_history_contracts 3
                /settled_history_contracts_read 2
                /history_problem "1 of 3 contracts could not be read: HTTP 400"
                /closed_until_ms null
                /settled_history_newest_rows null
                /docs "https://docs.example/okx"
                """);
        facts(row(response, "bybit"), """
                /closed_until_ms 1790000600000
                /reason "HTTP 403"
                /in_current_observation false
                """);
        facts(row(response, "binance"), """
                /estimate_error_p50 null
                /settled_history_contracts null
                /estimate_error_settlements 0
                """);
        facts(row(response, "lbank"), "/can_be_complete false\n/history_problem null");
        facts(row(response, "deepcoin"), """
                /history_problem "history_capped: the exchange shows the newest 100 settlements of a contract"
                /settled_history_newest_rows 100
                """);
        facts(row(response, "kraken"), "/rate_kind null");
        facts(row(response, "apex"), "/reason \"not read yet\"");
    }

    private static JsonNode row(JsonNode response, String venue) {
        return StreamSupport.stream(response.path("rows").spliterator(), false)
                .filter(row -> row.path("venue").asText().equals(venue))
                .findFirst()
                .orElseThrow();
    }
}
